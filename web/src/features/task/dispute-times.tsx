import type { ReactNode } from 'react'
import { answererOf, type Dispute, votingOpensAt } from '@/api/dispute'
import type { Task } from '@/api/task'
import { messages } from '@/messages/task'
import { Time } from '@/ui/time'

/** Describes who can still answer an undecided dispute, and when validators vote. */
export function timesOf(
  dispute: Pick<Dispute, 'status' | 'filedBy' | 'deadline' | 'createdAt'>,
  task: Pick<Task, 'disputeDeadline'>,
  viewer: 'human' | 'validator',
  now: Date,
): ReactNode {
  const { deadline, status } = dispute
  const until = <Time at={deadline} show="both" />
  if (status === 'draft') return messages.dispute.draft(until)
  const opensAt = votingOpensAt(dispute, task)
  const answerer = answererOf(dispute, now)
  return (
    <>
      {answerer && (
        <>{messages.dispute.mayAnswer(answerer === viewer ? 'you' : answerer, until)} </>
      )}
      {now < opensAt ? (
        messages.dispute.opens(<Time at={opensAt} show="both" />)
      ) : (
        <>
          {status === 'open' && messages.dispute.alreadyOpen}
          {status === 'voting' && messages.dispute.voting(until)}
          {status === 'escalated' && messages.dispute.late(viewer === 'human', until)}
        </>
      )}
    </>
  )
}
