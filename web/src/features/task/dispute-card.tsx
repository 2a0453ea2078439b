import { Check, Gavel, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { BothSides } from '@/components/both-sides'
import { TaskQuorum } from '@/components/task-quorum'
import { TokenAmount } from '@/components/token-amount'
import { VerdictList } from '@/components/verdicts'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { AnswerForm } from './answer-form'

/** A dispute with both statements, the progress of the vote and the possible outcomes. */
export function DisputeCard({ task, dispute, mine, mayAnswer }: Props) {
  return (
    <Card
      heading={
        <>
          <Gavel aria-hidden className="size-5 text-bad" />
          {dispute.outcome ? messages.dispute.ended : messages.dispute.title}
        </>
      }
      headingClass="flex items-center gap-2.5 text-xl font-semibold"
      className="p-6 sm:p-7"
    >
      <div className="mt-5">
        <BothSides dispute={dispute}>
          {mayAnswer && <AnswerForm task={task} until={dispute.deadline} />}
        </BothSides>
      </div>
      <div className="mt-6 border-t border-line pt-6">
        {dispute.outcome ? (
          <Outcome task={task} dispute={dispute} mine={mine} />
        ) : (
          <Open task={task} dispute={dispute} />
        )}
      </div>
    </Card>
  )
}

interface Props {
  task: Task
  dispute: Dispute
  /** Whether the task is assigned to the signed-in human. */
  mine: boolean
  /** Whether the signed-in human can still answer the other party's dispute. */
  mayAnswer: boolean
}

/** The progress of the vote, its deadline and the possible outcomes. Work that the agent approved cannot be rejected. */
function Open({ task, dispute }: { task: Task; dispute: Dispute }) {
  return (
    <>
      <TaskQuorum task={task} />
      <p className="mt-4 text-[0.9375rem]">{untilWhen(dispute)}</p>
      <ul className="mt-5 grid gap-3 sm:grid-cols-2">
        <End title={messages.dispute.ifApproved} good>
          {messages.dispute.approvedThen(<TokenAmount wei={task.payoutAmount} />)}
        </End>
        {!task.agentApprovedAt && (
          <End title={messages.dispute.ifRejected}>
            {messages.dispute.rejectedThen(
              <TokenAmount wei={task.escrowAmount} />,
              <TokenAmount wei={task.stakeAmount} />,
            )}
          </End>
        )}
      </ul>
    </>
  )
}

function untilWhen({ status, filedBy, deadline }: Dispute): ReactNode {
  const at = <Time at={deadline} show="both" />
  switch (status) {
    case 'draft':
      return messages.dispute.draft(at)
    case 'open':
      return messages.dispute.open(filedBy === 'agent' ? 'human' : 'agent', at)
    case 'voting':
      return messages.dispute.voting(at)
    default:
      return messages.dispute.late(at)
  }
}

interface EndProps {
  title: string
  good?: boolean
  children: ReactNode
}

function End({ title, good = false, children }: EndProps) {
  const Icon = good ? Check : X
  return (
    <li className="rounded-xl bg-sunken p-4">
      <p className="flex items-center gap-2 font-medium">
        <Icon aria-hidden className={good ? 'size-4 text-good' : 'size-4 text-bad'} />
        {title}
      </p>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{children}</p>
    </li>
  )
}

/** The outcome with its reasons. After the decision, both parties can read the verdicts. */
function Outcome({ task, dispute, mine }: Omit<Props, 'mayAnswer'>) {
  const paid = dispute.outcome === 'approved'
  const Icon = paid ? Check : X
  const byTime = dispute.status === 'auto_resolved'
  return (
    <>
      <p className="flex items-center gap-2 font-medium">
        <Icon aria-hidden className={paid ? 'size-5 text-good' : 'size-5 text-bad'} />
        {paid ? messages.dispute.won(mine) : messages.dispute.lost}
        {byTime && ` ${messages.dispute.byTime}`}
      </p>
      {!paid && <p>{messages.lostStake(mine, <TokenAmount wei={task.stakeAmount} />)}</p>}
      {dispute.resolvedAt && (
        <p className="text-[0.9375rem] text-ink-soft">
          <Time at={dispute.resolvedAt} show="both" happened />
        </p>
      )}
      <div className="mt-4">
        <VerdictList task={task} />
      </div>
    </>
  )
}
