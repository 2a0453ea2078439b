import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { messages } from '@/messages/task'

/** An event in a task's history. */
export interface Event {
  what: string
  /** The user's name, which completes the text. */
  username?: string | undefined
  at: Date
  /** The hash of the event's transaction. */
  hash?: string | undefined
}

/**
 * Returns the events of a task in chronological order. Posting is always first, because its time is
 * from the server's clock and not from the chain. Events in the same second keep the order in which
 * they are listed here. `mine`: the task is assigned to the signed-in human, who is addressed.
 */
export function timelineEvents(task: Task, dispute?: Dispute | null, mine = false): Event[] {
  const events: (Omit<Event, 'at'> & { at: Date | undefined })[] = [
    { what: messages.past.funded, at: task.fundedAt, hash: task.escrowCreationTxHash },
    {
      what: messages.past.accepted(mine, task.humanUsername),
      username: mine ? undefined : task.humanUsername,
      at: task.acceptedAt,
    },
    { what: messages.past.submitted, at: task.submittedAt, hash: task.submitTxHash },
    {
      what: messages.past.disputed(mine, dispute?.filedBy),
      at: dispute?.status === 'draft' ? undefined : dispute?.createdAt,
    },
    { what: messages.past.approved, at: task.agentApprovedAt },
    { what: messages.past.cancelled, at: task.cancelledAt },
    {
      what: task.status === 'rejected' ? messages.past.rejected : messages.past.paid(mine),
      at: task.settledAt,
      hash: task.settleTxHash,
    },
  ]
  const later = events
    .flatMap(({ at, ...event }) => (at ? [{ ...event, at }] : []))
    .sort((a, b) => secondOf(a.at) - secondOf(b.at))
  return [{ what: messages.past.posted, at: task.createdAt }, ...later]
}

const secondOf = (at: Date) => Math.floor(at.getTime() / 1_000)
