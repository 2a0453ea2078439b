import type { Task } from '@/api/task'
import type { Intent } from './intent'

/** A call of the escrow about a task with a human, which the chain must know as this agent's. */
export function aboutTask(task: Pick<Task, 'escrowTaskId' | 'agentWalletAddress'>): {
  id: bigint
  expects: NonNullable<Intent['expects']>
} {
  const id = task.escrowTaskId
  if (id === undefined) throw new Error('nothing is locked for this task')
  return {
    id,
    expects: [
      {
        read: { contract: 'escrow', name: 'offerOf', args: [id] },
        // Once somebody is accepted, nothing is on offer any more.
        is: [task.agentWalletAddress, 0n],
      },
    ],
  }
}
