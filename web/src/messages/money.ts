import type { TaskStatus } from '@/lib/facts.gen'

const cancellable = 'locked it; can cancel and get it back until work is submitted'
const final = 'locked it; gets it back only if validators reject the work'
const voting = 'holds it until validators decide, or until it is released because they did not'

const agent: Record<TaskStatus, string> = {
  new: 'has not locked it yet',
  funded: cancellable,
  active: cancellable,
  expired: cancellable,
  submitted: final,
  validating: final,
  disputed: final,
  approved: 'locked it before the work began',
  rejected: 'was refunded: validators rejected the work',
  cancelled: 'was refunded: the task was cancelled',
}

const escrow: Partial<Record<TaskStatus, string>> = {
  funded:
    'holds it until a human is accepted and the work is approved or rejected, or the agent cancels',
  active: 'holds it until the work is approved or rejected, or the task is cancelled before that',
  expired: 'holds it; the agent can cancel until the work is submitted',
  submitted: 'holds it; the agent can no longer cancel',
  validating: voting,
  disputed: voting,
}

/** Texts that state where a task's payment is, by the task's status. */
export const moneyTexts = {
  title: 'Where the money is now',
  theAgent: 'The agent',
  theEscrow: 'The escrow contract',
  theHuman: 'The human',
  you: 'You',
  agent,
  approvedWork: 'locked it and approved the work',
  escrow,
  noLongerHeld: 'no longer holds it',
  human: (status: string, fee: string, mine: boolean) => {
    if (status === 'approved') return `${mine ? 'were' : 'was'} paid, after a fee of ${fee}%`
    const is = mine ? 'are' : 'is'
    if (status === 'rejected' || status === 'cancelled') return `${is} not paid for this task`
    return `${is} paid when the work is accepted, after a fee of ${fee}%`
  },
}
