import { queryOptions } from '@tanstack/react-query'
import { listHumanTasks } from './gen/sdk.gen'
import { type Task, toTask } from './task'

const page_size = 100

async function allTasks(status: Task['status'][], signal: AbortSignal): Promise<Task[]> {
  const tasks: Task[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = { status, page_size, ...(cursor === undefined ? {} : { cursor }) }
    const page = await listHumanTasks({ query, signal })
    tasks.push(...page.tasks.map(toTask))
    cursor = page.next_cursor
  }
  return tasks
}

/** All tasks that were paid to whoever is signed in, the last paid first. */
export const paidTasksQuery = queryOptions({
  queryKey: ['tasks', 'paid'],
  queryFn: async ({ signal }) => {
    const tasks = await allTasks(['approved'], signal)
    return tasks.sort((a, b) => paidAt(b).getTime() - paidAt(a).getTime())
  },
})

/** The tasks of whoever is signed in whose payment still lies in the escrow. */
export const lockedTasksQuery = queryOptions({
  queryKey: ['tasks', 'locked'],
  queryFn: ({ signal }) =>
    allTasks(['active', 'expired', 'submitted', 'validating', 'disputed'], signal),
})

/** When a task that was paid was paid. */
export const paidAt = (task: Task): Date => task.settledAt ?? task.createdAt
