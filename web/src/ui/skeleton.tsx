import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

/** A placeholder with the size of the expected content. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block animate-pulse rounded-lg bg-sunken', className)}
    />
  )
}

/** Placeholders for the items of a list. Screen readers announce only once that it is loading. */
export function SkeletonList({ items, className }: { items: number; className: string }) {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{common.loading}</span>
      {Array.from({ length: items }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={i} className={className} />
      ))}
    </div>
  )
}
