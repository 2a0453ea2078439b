import { queryOptions } from '@tanstack/react-query'
import { getTask, listTasks } from './gen/sdk.gen'
import type { ListTasksData, TaskSort, Task as WireTask } from './gen/types.gen'
import { listQuery, type PageParams, readAll, toPage } from './list'
import { toAction } from './task-next'
import { converter } from './wire'

const convert = converter<WireTask>()(
  [
    'deadline',
    'funded_at',
    'accepted_at',
    'submitted_at',
    'dispute_deadline',
    'disputed_at',
    'agent_approved_at',
    'settled_at',
    'cancelled_at',
    'created_at',
  ],
  ['escrow_amount', 'payout_amount', 'stake_amount', 'escrow_task_id'],
)

export const toTask = (wire: WireTask) => ({
  ...convert(wire),
  hasApplied: wire.has_applied ?? false,
  actions: (wire.actions ?? []).map(toAction),
})

/**
 * A task with the fields that the caller may read. Amounts are in wei. `escrowTaskId` is absent
 * until the task is funded, and `workHash` until the work is on the chain. `applicationId` is the
 * id of the caller's application. `actions` are empty except in the lists of the caller's own tasks.
 */
export type Task = ReturnType<typeof toTask>

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: async ({ signal }) => toTask(await getTask({ path: { id }, signal })),
  })

/** A search for open tasks. */
export interface BoardSearch {
  q?: string | undefined
  skill?: string | undefined
  location?: string | undefined
  remote?: boolean | undefined
  /** The minimum escrow amount, in wei. */
  minAmount?: bigint | undefined
  /** Matches tasks with a deadline after this time and tasks without a deadline. */
  dueAfter?: Date | undefined
  sort?: TaskSort | undefined
}

function fromBoardSearch({ minAmount, dueAfter, ...search }: BoardSearch): ListTasksData['query'] {
  const entries = Object.entries({
    ...search,
    min_amount: minAmount?.toString(),
    due_after: dueAfter?.toISOString(),
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The matching open tasks, in pages. Requires a session. */
export const boardSearchQuery = (search: BoardSearch) =>
  listQuery(['tasks', 'board', fromBoardSearch(search)], 20, async (params, signal) => {
    const query = { scope: 'board' as const, ...fromBoardSearch(search), ...params }
    const page = await listTasks({ query, signal })
    return toPage(page, page.tasks.map(toTask))
  })

async function readMyTasks(params: PageParams, signal: AbortSignal) {
  const page = await listTasks({ query: { scope: 'mine', ...params }, signal })
  return toPage(page, page.tasks.map(toTask))
}

/** The tasks that the human applied for or was assigned to, newest first, in pages. */
export const myTasksQuery = listQuery(['tasks', 'mine'], 100, readMyTasks)

/** Reads all tasks that the human applied for or was assigned to, newest first. */
export const readAllMyTasks = (signal: AbortSignal) =>
  readAll((params) => readMyTasks(params, signal))
