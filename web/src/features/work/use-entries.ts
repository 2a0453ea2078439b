import { useInfiniteQuery } from '@tanstack/react-query'
import { myApplicationsQuery } from '@/api/application'
import { useContracts } from '@/api/contracts'
import type { Human } from '@/api/human'
import { myTasksQuery } from '@/api/task'
import { useNow } from '@/lib/now'
import { type Entry, entriesOf } from './entries'
import { type Step, stepOf } from './step'

export interface Planned {
  entry: Entry
  step: Step
}

/** Returns the human's loaded tasks and applications, each with its next step. */
export function usePlan(me: Human) {
  const tasks = useInfiniteQuery(myTasksQuery)
  const applications = useInfiniteQuery(myApplicationsQuery)
  const contracts = useContracts()
  const now = useNow()
  const entries = entriesOf(me.id, tasks.data?.items ?? [], applications.data?.items ?? [])
  const symbol = contracts?.token.symbol
  const plan = entries.map((entry): Planned => ({ entry, step: stepOf(entry, now, symbol) }))
  return {
    plan,
    isPending: tasks.isPending || applications.isPending || !contracts,
    // If a refetch fails, the data that was read before is still shown.
    error: tasks.data && applications.data ? null : (tasks.error ?? applications.error),
    hasMore: tasks.hasNextPage || applications.hasNextPage,
    isReadingMore: tasks.isFetchingNextPage || applications.isFetchingNextPage,
    retry: () => void Promise.all([tasks.refetch(), applications.refetch()]),
    readMore: () => void Promise.all([tasks.fetchNextPage(), applications.fetchNextPage()]),
  }
}
