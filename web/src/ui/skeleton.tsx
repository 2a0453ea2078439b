import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

/** The place of something that is on its way. Give it the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block animate-pulse rounded-lg bg-sunken', className)}
    />
  )
}

/** Places for a list's items. A screen reader hears once that they load. */
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
