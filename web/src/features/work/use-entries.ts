import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { endedWithStake, myApplicationsQuery } from '@/api/application'
import { useContracts } from '@/api/contracts'
import { type Dispute, disputeQuery } from '@/api/dispute'
import type { Human } from '@/api/human'
import { myTasksQuery } from '@/api/task'
import { canWithdraw, taskNextQuery } from '@/api/task-next'
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
  const windows = contracts?.windows
  const now = useNow()
  const entries = entriesOf(me.id, tasks.data?.items ?? [], applications.data?.items ?? [])
  const disputes = useDisputes(entries)
  const locked = useLockedStakes(entries)
  const plan: Planned[] = windows
    ? entries.map((entry) => ({
        entry,
        step: stepOf(entry, {
          windows,
          now,
          symbol: contracts?.token.symbol,
          dispute: disputes.get(entry.task.id),
          stakeIsLocked: locked.has(entry.task.id),
        }),
      }))
    : []
  return {
    plan,
    isPending: tasks.isPending || applications.isPending || !windows,
    // If a refetch fails, the data that was read before is still shown.
    error: tasks.data && applications.data ? null : (tasks.error ?? applications.error),
    hasMore: tasks.hasNextPage || applications.hasNextPage,
    isReadingMore: tasks.isFetchingNextPage || applications.isFetchingNextPage,
    retry: () => void Promise.all([tasks.refetch(), applications.refetch()]),
    readMore: () => void Promise.all([tasks.fetchNextPage(), applications.fetchNextPage()]),
  }
}

function useDisputes(entries: Entry[]): Map<string, Dispute | null | undefined> {
  const disputed = entries.filter(({ task }) => task.status === 'disputed')
  const found = useQueries({ queries: disputed.map(({ task }) => disputeQuery(task.id)) })
  return new Map(disputed.map(({ task }, i) => [task.id, found[i]?.data]))
}

/** Returns the ids of the tasks whose application has ended although the stake is still locked. */
function useLockedStakes(entries: Entry[]): Set<string> {
  const applications = entries.flatMap((each) =>
    each.as === 'applicant' ? [each.application] : [],
  )
  const ended = endedWithStake(applications).map(({ taskId }) => taskId)
  const next = useQueries({ queries: ended.map(taskNextQuery) })
  return new Set(ended.filter((_, i) => canWithdraw(next[i]?.data)))
}
