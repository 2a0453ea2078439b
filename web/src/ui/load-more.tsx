import { common } from '@/messages/common'
import { Button } from './button'

interface Props {
  shown: number
  total: number
  hasMore: boolean
  busy: boolean
  onMore: () => void
}

/** The end of a list that comes in pages; nothing where all of it is there. */
export function LoadMore({ shown, total, hasMore, busy, onMore }: Props) {
  if (!hasMore) return null
  return (
    <div className="mt-8 flex flex-col items-center gap-3">
      <p className="figures text-sm text-ink-soft" role="status">
        {common.shownOf(shown, total)}
      </p>
      <Button look="secondary" busy={busy} onClick={onMore}>
        {common.showMore}
      </Button>
    </div>
  )
}
