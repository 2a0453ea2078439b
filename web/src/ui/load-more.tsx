import { common } from '@/messages/common'
import { Button } from './button'

/** A list that is only partly loaded or shown. */
export interface PartialList {
  data?: { items: readonly unknown[]; total: number } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** The end of a partially shown list: how many items are shown, and a button to show more. */
export function LoadMore({ query }: { query: PartialList }) {
  if (!query.hasNextPage || !query.data) return null
  return (
    <div className="mt-8 flex flex-col items-center gap-3">
      <p className="figures text-sm text-ink-soft" role="status">
        {common.countOf(query.data.items.length, query.data.total)}
      </p>
      <Button
        variant="secondary"
        busy={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {common.showMore}
      </Button>
    </div>
  )
}
