import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { List } from '@/api/list'
import { Loading } from '@/components/loading'
import { messages } from '@/messages/board'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'

interface Props<T> {
  query: UseInfiniteQueryResult<List<T>>
  /** The text that is shown if the list is empty. */
  none: string
  noneAction?: ReactNode
  children: (task: T) => ReactNode
}

/** A list of tasks, or its loading, empty or error state. */
export function Results<T>({ query, none, noneAction, children }: Props<T>) {
  if (!query.data) return <Loading query={query} items={5} className="h-28" />
  if (query.data.items.length === 0) {
    return (
      <EmptyState icon={SearchX} title={messages.none} action={noneAction}>
        {none}
      </EmptyState>
    )
  }
  return (
    <div>
      <ul className="grid gap-4">{query.data.items.map(children)}</ul>
      <LoadMore query={query} />
    </div>
  )
}
