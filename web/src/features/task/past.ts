import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'

/** Something that happened to a task. */
export interface Event {
  what: string
  at: Date
  /** The transaction that did it. */
  hash?: string | undefined
}

/**
 * What happened to a task so far, in order. Nothing precedes its posting, whose time is another
 * clock's than the chain's; of what one second holds, what stands first here came first.
 */
export function pastOf(task: Task, dispute?: Dispute | null): Event[] {
  const events: (Omit<Event, 'at'> & { at: Date | undefined })[] = [
    { what: 'Payment locked in escrow', at: task.fundedAt, hash: task.escrowCreationTxHash },
    { what: `Given to ${task.humanUsername ?? 'an applicant'}`, at: task.acceptedAt },
    { what: 'Work handed in', at: task.submittedAt, hash: task.submitTxHash },
    {
      what: `Disputed by the ${dispute?.filedBy}`,
      at: dispute?.status === 'draft' ? undefined : dispute?.createdAt,
    },
    { what: 'Approved by the agent', at: task.agentApprovedAt },
    { what: 'Cancelled, payment returned', at: task.cancelledAt },
    {
      what:
        task.status === 'rejected'
          ? 'Work rejected by validators: payment refunded, stake lost'
          : 'Paid to the human',
      at: task.settledAt,
      hash: task.settleTxHash,
    },
  ]
  const later = events
    .flatMap(({ at, ...event }) => (at ? [{ ...event, at }] : []))
    .sort((a, b) => secondOf(a.at) - secondOf(b.at))
  return [{ what: 'Posted', at: task.createdAt }, ...later]
}

const secondOf = (at: Date) => Math.floor(at.getTime() / 1_000)
