import { Check, Gavel, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { BothSides } from '@/components/both-sides'
import { TaskQuorum } from '@/components/task-quorum'
import { TokenAmount } from '@/components/token-amount'
import { VerdictList } from '@/components/verdicts'
import { useNow } from '@/lib/now'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { AnswerForm } from './answer-form'
import { timesOf } from './dispute-times'

/** A dispute with both statements, the progress of the vote and the possible outcomes. */
export function DisputeCard({ task, dispute, viewer, mayAnswer }: Props) {
  const now = useNow()
  const { deadline, outcome } = dispute
  const mine = viewer === 'human'
  return (
    <Card
      heading={
        <>
          <Gavel aria-hidden className="size-5 text-bad" />
          {outcome ? messages.dispute.ended : messages.dispute.title}
        </>
      }
      headingClass="flex items-center gap-2.5 text-xl font-semibold"
      tone={mayAnswer ? 'accent' : 'plain'}
      className="p-6 sm:p-7"
    >
      {!outcome && (
        <p className="mt-2 max-w-prose text-[0.9375rem]">{timesOf(dispute, task, viewer, now)}</p>
      )}
      <div className="mt-5 max-w-3xl">
        <BothSides dispute={dispute} mine={mine}>
          {mayAnswer && <AnswerForm task={task} until={deadline} />}
        </BothSides>
      </div>
      <div className="mt-6 border-t border-line pt-6">
        {outcome ? (
          <Outcome task={task} dispute={dispute} mine={mine} />
        ) : (
          <Open task={task} mine={mine} />
        )}
      </div>
    </Card>
  )
}

interface Props {
  task: Task
  dispute: Dispute
  /** The role of the signed-in user. */
  viewer: 'human' | 'validator'
  mayAnswer: boolean
}

/** The progress of the vote and the possible outcomes. Work that the agent approved cannot be rejected. */
function Open({ task, mine }: { task: Task; mine: boolean }) {
  return (
    <>
      <TaskQuorum task={task} />
      <ul className="mt-5 grid gap-3 sm:grid-cols-2">
        <End title={messages.dispute.ifApproved} good>
          {messages.dispute.approvedThen(mine, <TokenAmount wei={task.payoutAmount} />)}
        </End>
        {!task.agentApprovedAt && (
          <End title={messages.dispute.ifRejected}>
            {messages.dispute.rejectedThen(
              mine,
              <TokenAmount wei={task.escrowAmount} />,
              <TokenAmount wei={task.stakeAmount} />,
            )}
          </End>
        )}
      </ul>
    </>
  )
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
function Outcome({ task, dispute, mine }: Pick<Props, 'task' | 'dispute'> & { mine: boolean }) {
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
