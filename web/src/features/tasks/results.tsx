import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBanner } from '@/components/error-banner'
import { messages } from '@/messages/board'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'
import { SkeletonList } from '@/ui/skeleton'

interface Props<T> {
  query: UseInfiniteQueryResult<InfiniteData<{ tasks: T[]; total: number }>, Error>
  /** What to say, and what to do, where nothing is found. */
  none: string
  noneAction?: ReactNode
  children: (task: T) => ReactNode
}

/** A list of tasks in each of its states. */
export function Results<T>({ query, none, noneAction, children }: Props<T>) {
  if (query.isPending) return <SkeletonList items={5} className="h-28" />
  if (query.isLoadingError)
    return <ErrorBanner error={query.error} retry={() => void query.refetch()} />
  const tasks = query.data.pages.flatMap((page) => page.tasks)
  if (tasks.length === 0) {
    return (
      <EmptyState icon={SearchX} title={messages.none} action={noneAction}>
        {none}
      </EmptyState>
    )
  }
  return (
    <div>
      <ul className="grid gap-4">{tasks.map(children)}</ul>
      <LoadMore
        shown={tasks.length}
        total={query.data.pages[0]?.total ?? tasks.length}
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </div>
  )
}
