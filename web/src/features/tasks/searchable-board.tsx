import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSymbol } from '@/api/contracts'
import { boardSearchQuery } from '@/api/task'
import { BoardCard } from '@/components/board-card'
import type { BoardParams } from '@/lib/board-params'
import { messages } from '@/messages/board'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { Filters } from './filters'
import { Results } from './results'
import { toBoardSearch } from './search'

/** The open tasks with a search that is stored in the URL, so that it can be bookmarked. */
export function SearchableBoard() {
  const params = useSearch({ from: '/tasks' })
  const navigate = useNavigate({ from: '/tasks' })
  const board = useInfiniteQuery({
    ...boardSearchQuery(toBoardSearch(params)),
    placeholderData: keepPreviousData,
  })
  const symbol = useSymbol()
  const change = (next: BoardParams) =>
    void navigate({ search: next, replace: true, resetScroll: false })
  const filtered = Object.keys(params).length > 0
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <Filters params={params} symbol={symbol} onChange={change} />
      <Results
        query={board}
        none={filtered ? messages.nothingFits : common.noTaskYet}
        noneAction={
          filtered && (
            <Button variant="secondary" onClick={() => change({})}>
              {messages.clearFilters}
            </Button>
          )
        }
      >
        {(task) => (
          <BoardCard
            key={task.id}
            task={task}
            amount={task.payoutAmount}
            amountIs={common.forAcceptedWork}
          />
        )}
      </Results>
    </div>
  )
}
