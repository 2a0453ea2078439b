import { queryOptions } from '@tanstack/react-query'
import { type Application, toApplication } from './application'
import { listHumanApplications, listHumanTasks } from './gen/sdk.gen'
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

/** All paid tasks of the signed-in human, the last paid first. */
export const paidTasksQuery = queryOptions({
  queryKey: ['tasks', 'paid'],
  queryFn: async ({ signal }) => {
    const tasks = await allTasks(['approved'], signal)
    return tasks.sort((a, b) => paidAt(b).getTime() - paidAt(a).getTime())
  },
})

/** The tasks of the signed-in human whose payment is still in escrow. */
export const lockedTasksQuery = queryOptions({
  queryKey: ['tasks', 'locked'],
  queryFn: ({ signal }) =>
    allTasks(['active', 'expired', 'submitted', 'validating', 'disputed'], signal),
})

/** When a task that was paid was paid. */
export const paidAt = (task: Task): Date => task.settledAt ?? task.createdAt

/** A stake that its human lost. Amounts are in wei. */
export interface LostStake {
  id: string
  taskId: string
  amount: bigint
  /** `agent`: the agent rejected the application; `verdict`: validators rejected the work. */
  by: 'agent' | 'verdict'
  /** Why the agent rejected the application, if it said so. */
  reason?: string | undefined
  /** When the work was rejected, or when the application was made. */
  at: Date
}

/** The stakes lost by rejected applications and by rejected work, the latest first. */
export function lostStakesOf(applications: Application[], rejectedTasks: Task[]): LostStake[] {
  const byAgents = applications
    .filter(({ status, stakeId }) => status === 'rejected' && stakeId !== undefined)
    .map(({ id, taskId, stakeAmount, rejectionReason, createdAt }): LostStake => {
      const reason = rejectionReason ? { reason: rejectionReason } : {}
      return { id, taskId, amount: stakeAmount, by: 'agent', ...reason, at: createdAt }
    })
  const byVerdicts = rejectedTasks.map((task): LostStake => {
    const at = task.settledAt ?? task.createdAt
    return { id: task.id, taskId: task.id, amount: task.stakeAmount, by: 'verdict', at }
  })
  return [...byAgents, ...byVerdicts].sort((a, b) => b.at.getTime() - a.at.getTime())
}

async function allApplications(signal: AbortSignal): Promise<Application[]> {
  const applications: Application[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = { page_size, ...(cursor === undefined ? {} : { cursor }) }
    const page = await listHumanApplications({ query, signal })
    applications.push(...page.applications.map(toApplication))
    cursor = page.next_cursor
  }
  return applications
}

/** The stakes that the signed-in human lost. */
export const lostStakesQuery = queryOptions({
  queryKey: ['tasks', 'lost stakes'],
  queryFn: async ({ signal }) => {
    const [applications, tasks] = await Promise.all([
      allApplications(signal),
      allTasks(['rejected'], signal),
    ])
    return lostStakesOf(applications, tasks)
  },
})
