import { useQuery } from '@tanstack/react-query'
import { LoaderCircle } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { answererOf, disputeQuery } from '@/api/dispute'
import type { Task } from '@/api/task'
import { type Action, taskNextQuery } from '@/api/task-next'
import type { Validation } from '@/api/validation'
import { contractRefusal } from '@/chain/refusal'
import { useNow } from '@/lib/now'
import { messages } from '@/messages/validate'
import { Quorum } from '@/ui/quorum'
import { Result } from '@/ui/result'
import { Section } from '@/ui/section'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'
import type { Stage, Tally } from './entries'
import { Outcome } from './outcome'
import { VerdictForm } from './verdict-form'

interface Props {
  task: Task
  validation: Validation
  tally: Tally
  stage: Stage
  /** The validator's wallet. */
  wallet: string
}

/** The progress of the vote, and the signed-in validator's own verdict. */
export function Vote({ task, validation, tally, stage, wallet }: Props) {
  const hadVoted = useRef(validation.mine !== undefined)
  if (stage === 'paid' || stage === 'refunded') return <Outcome task={task} />
  return (
    <Section heading={messages.vote.title} level={3}>
      <div className="grid gap-8 md:grid-cols-2">
        <div className="grid content-start gap-4">
          <Quorum {...tally} />
          <p role="status" className="text-[0.9375rem] text-ink-soft">
            <Progress validation={validation} tally={tally} stage={stage} />
          </p>
          {stage === 'open' && task.disputedAt && <AnswerToCome taskId={task.id} />}
        </div>
        {validation.mine ? (
          <Mine {...validation.mine} isNew={!hadVoted.current} />
        ) : (
          stage === 'open' && <OwnVerdict task={task} validation={validation} wallet={wallet} />
        )}
      </div>
    </Section>
  )
}

function Progress({ validation, tally, stage }: Pick<Props, 'validation' | 'tally' | 'stage'>) {
  const now = useNow()
  const ends = <Time at={validation.closesAt} show="both" />
  if (stage === 'complete') {
    return (
      <span className="flex items-start gap-2.5 text-ink">
        <LoaderCircle aria-hidden className="mt-1 size-4 shrink-0 animate-spin text-accent" />
        {messages.vote.complete}
      </span>
    )
  }
  if (stage === 'closed') return <>{messages.vote.closed}</>
  if (validation.opensAt > now)
    return <>{messages.vote.opens(<Time at={validation.opensAt} show="both" />)}</>
  const left = tally.quorum - Math.max(tally.approvals, tally.rejections)
  return <>{messages.vote.open(tally.quorum, left, ends)}</>
}

interface MineProps extends NonNullable<Validation['mine']> {
  /** Whether the validator has just voted. */
  isNew: boolean
}

function Mine({ approved, reason, isNew }: MineProps) {
  return (
    <Result isNew={isNew} className="min-w-0 scroll-my-6 rounded-xl bg-sunken p-5">
      <p className="font-medium">{approved ? messages.vote.mine.pay : messages.vote.mine.reject}</p>
      <UserText className="mt-2 text-ink-soft">{reason}</UserText>
    </Result>
  )
}

/** Shows a validator that the other party can still answer the dispute. */
function AnswerToCome({ taskId }: { taskId: string }) {
  const dispute = useQuery(disputeQuery(taskId)).data
  const now = useNow()
  const answerer = dispute && answererOf(dispute, now)
  if (!answerer) return null
  return (
    <p className="rounded-xl bg-wait-wash px-4 py-2.5 text-[0.9375rem]">
      {messages.vote.mayAnswer(answerer, <Time at={dispute.deadline} show="both" />)}
    </p>
  )
}

/** The verdict form, which is shown once the contract accepts verdicts in this round. */
function OwnVerdict({ task, validation, wallet }: Pick<Props, 'task' | 'validation' | 'wallet'>) {
  const actions = useQuery(taskNextQuery(task.id)).data?.actions
  const opens = actions && opensAt(actions, validation)
  if (opens) return <NotYet opens={opens} />
  return <VerdictForm task={task} validation={validation} wallet={wallet} />
}

function opensAt(actions: readonly Action[], validation: Validation): Date | undefined {
  const verdict = actions.find(({ action }) => action === 'verdict')
  return verdict ? verdict.opensAt : validation.opensAt
}

function NotYet({ opens }: { opens: Date }): ReactNode {
  const { message, hint } = contractRefusal('ReviewNotOpen')
  return (
    <div className="rounded-xl bg-sunken p-5 text-[0.9375rem]">
      <p className="font-medium">{message}</p>
      <p className="mt-1 text-ink-soft">
        {hint} {messages.vote.opens(<Time at={opens} show="both" />)}
      </p>
    </div>
  )
}
