import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { messages } from '@/messages/task'

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
export function timelineEvents(task: Task, dispute?: Dispute | null): Event[] {
  const events: (Omit<Event, 'at'> & { at: Date | undefined })[] = [
    { what: messages.past.funded, at: task.fundedAt, hash: task.escrowCreationTxHash },
    { what: messages.past.accepted(task.humanUsername), at: task.acceptedAt },
    { what: messages.past.submitted, at: task.submittedAt, hash: task.submitTxHash },
    {
      what: messages.past.disputed(dispute?.filedBy),
      at: dispute?.status === 'draft' ? undefined : dispute?.createdAt,
    },
    { what: messages.past.approved, at: task.agentApprovedAt },
    { what: messages.past.cancelled, at: task.cancelledAt },
    {
      what: task.status === 'rejected' ? messages.past.rejected : messages.past.paid,
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
