import type { Application } from '@/api/application'
import type { Proposal } from '@/api/proposal'
import type { Task } from '@/api/task'
import type { Intent } from '@/chain/intent'

/** Names the transaction that locks the stake for a task. */
export const stakePurpose = (task: Pick<Task, 'id'>) => `apply:${task.id}`

/** Names the transaction that brings it back. */
export const withdrawPurpose = (application: Pick<Application, 'id'>) =>
  `withdraw:${application.id}`

/** Locks the stake, once the chain says that the task is this agent's, for this amount. */
export function lockIntent(task: Task, proposal?: Proposal): Intent {
  if (task.escrowTaskId === undefined) throw new Error(`nothing is locked for task ${task.id}`)
  return {
    does: 'Locks your stake. It comes back unless the agent rejects you, or a verdict your work.',
    call: {
      contract: 'staking',
      name: 'lockApplicationStake',
      args: [task.escrowTaskId, task.stakeAmount],
    },
    spends: task.stakeAmount,
    proposal,
    expects: [
      {
        read: { contract: 'escrow', name: 'offerOf', args: [task.escrowTaskId] },
        is: [task.agentWalletAddress, task.escrowAmount],
      },
    ],
  }
}

/** Brings the stake of an application back to its human. */
export function withdrawIntent(
  { stakeId, stakeAmount, status }: Application,
  proposal: Proposal,
): Intent {
  if (stakeId === undefined) throw new Error('there is no stake to bring back')
  return {
    does:
      status === 'pending'
        ? 'Takes your application back, and your stake with it.'
        : 'Brings your stake back to your wallet.',
    call: { contract: 'staking', name: 'withdrawStake', args: [stakeId] },
    returns: stakeAmount,
    proposal,
  }
}
