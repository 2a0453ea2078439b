import { SkeletonList } from '@/ui/skeleton'
import { ErrorBanner } from './error-banner'

interface Props {
  query: { error: Error | null; refetch: () => unknown }
  /** The number of items in the skeleton. `className` sets their size. */
  items: number
  className: string
}

/** Shown until a query has data: a skeleton while it loads, or the error with a retry button. */
export function Loading({ query: { error, refetch }, items, className }: Props) {
  if (error) return <ErrorBanner error={error} retry={() => void refetch()} />
  return <SkeletonList items={items} className={className} />
}
