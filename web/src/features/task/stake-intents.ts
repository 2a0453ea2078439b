import type { Application } from '@/api/application'
import type { Proposal } from '@/api/proposal'
import type { Task } from '@/api/task'
import { aboutStake, aboutTask } from '@/chain/about-task'
import type { Intent } from '@/chain/intent'
import { messages } from '@/messages/task'

/** Returns the purpose of the transaction that locks the stake for a task. */
export const stakePurpose = (task: Pick<Task, 'id'>) => `apply:${task.id}`

/** Returns the purpose of the transaction that withdraws a stake. */
export const withdrawPurpose = (application: Pick<Application, 'id'>) =>
  `withdraw:${application.id}`

/**
 * Creates the intent to lock the stake, which first checks the task's agent and payment on the
 * chain.
 */
export function lockIntent(task: Task, proposal?: Proposal): Intent {
  const { id, expects } = aboutTask(task)
  return {
    does: messages.intent.lock,
    call: { contract: 'staking', name: 'lockApplicationStake', args: [id, task.stakeAmount] },
    spends: task.stakeAmount,
    proposal,
    expects,
  }
}

/**
 * Creates the intent to withdraw an application's stake, which first checks the stake on the chain.
 */
export function withdrawIntent(
  application: Application,
  task: Task,
  wallet: string,
  proposal: Proposal,
): Intent {
  const { id, expects } = aboutStake(wallet, task, application)
  return {
    does:
      application.status === 'pending'
        ? messages.intent.withdrawApplication
        : messages.intent.withdrawStake,
    call: { contract: 'staking', name: 'withdrawStake', args: [id] },
    returns: application.stakeAmount,
    proposal,
    expects,
  }
}
