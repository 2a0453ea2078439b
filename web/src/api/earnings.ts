import { queryOptions } from '@tanstack/react-query'
import type { TaskStatus } from '@/lib/facts.gen'
import { type Application, readAllApplications } from './application'
import { listHumanTasks } from './gen/sdk.gen'
import { readAll, toPage } from './list'
import { readAllMyTasks, type Task, toTask } from './task'

const allTasks = (status: TaskStatus[], signal: AbortSignal): Promise<Task[]> =>
  readAll(async (params) => {
    const page = await listHumanTasks({ query: { status, ...params }, signal })
    return toPage(page, page.tasks.map(toTask))
  })

/** The time at which a task was settled, or was created if it is not settled. */
export const settledAt = (task: Task): Date => task.settledAt ?? task.createdAt

const latestFirst = (a: Date, b: Date) => b.getTime() - a.getTime()

/** All paid tasks of the signed-in human, most recently paid first. */
export const paidTasksQuery = queryOptions({
  queryKey: ['tasks', 'paid'],
  queryFn: async ({ signal }) => {
    const tasks = await allTasks(['approved'], signal)
    return tasks.sort((a, b) => latestFirst(settledAt(a), settledAt(b)))
  },
})

/** The tasks of the signed-in human whose payment is still in escrow. */
export const lockedTasksQuery = queryOptions({
  queryKey: ['tasks', 'locked'],
  queryFn: ({ signal }) =>
    allTasks(['active', 'expired', 'submitted', 'validating', 'disputed'], signal),
})

/** A stake that the human lost. Amounts are in wei. */
export interface LostStake {
  id: string
  taskId: string
  amount: bigint
  /** `agent`: the agent rejected the application; `verdict`: validators rejected the work. */
  by: 'agent' | 'verdict'
  /** The agent's reason for rejecting the application, if it gave one. */
  reason?: string | undefined
  /** The time at which the work was rejected, or at which the rejected application was made. */
  at: Date
}

/** The stakes that were lost through rejected applications and rejected work, most recent first. */
export function lostStakesOf(applications: Application[], rejectedTasks: Task[]): LostStake[] {
  const byAgents = applications
    .filter(({ status, stakeId }) => status === 'rejected' && stakeId !== undefined)
    .map(({ id, taskId, stakeAmount, rejectionReason, createdAt }): LostStake => {
      const reason = rejectionReason ? { reason: rejectionReason } : {}
      return { id, taskId, amount: stakeAmount, by: 'agent', ...reason, at: createdAt }
    })
  const byVerdicts = rejectedTasks.map((task): LostStake => {
    const { id, stakeAmount: amount } = task
    return { id, taskId: id, amount, by: 'verdict', at: settledAt(task) }
  })
  return [...byAgents, ...byVerdicts].sort((a, b) => latestFirst(a.at, b.at))
}

/**
 * The stakes that the human can withdraw, of applications listed newest first. Of several applications for a
 * task, the action `withdraw` is about the newest.
 */
export function applicationStakesOf(
  applications: Application[],
  tasks: Pick<Task, 'id' | 'actions'>[],
): bigint[] {
  const withdrawable = tasks.filter(({ actions }) =>
    actions.some(({ action }) => action === 'withdraw'),
  )
  return withdrawable.flatMap(({ id }) => {
    const newest = applications.find(({ taskId }) => taskId === id)
    return newest?.stakeId === undefined ? [] : [newest.stakeAmount]
  })
}

/** The signed-in human's locked stakes for applications. */
export const applicationStakesQuery = queryOptions({
  queryKey: ['tasks', 'application stakes'],
  queryFn: async ({ signal }) =>
    applicationStakesOf(
      ...(await Promise.all([readAllApplications(signal), readAllMyTasks(signal)])),
    ),
})

/** The stakes that the signed-in human has lost. */
export const lostStakesQuery = queryOptions({
  queryKey: ['tasks', 'lost stakes'],
  queryFn: async ({ signal }) =>
    lostStakesOf(
      ...(await Promise.all([readAllApplications(signal), allTasks(['rejected'], signal)])),
    ),
})
