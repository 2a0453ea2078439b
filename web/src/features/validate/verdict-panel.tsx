import { LoaderCircle, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import type { VerdictSubmission } from '@/chain/use-verdict'
import type { VerdictReview } from '@/chain/verdict-review'
import { Blocked, Stopped } from '@/components/stopped'
import { useShownState } from '@/components/transaction-panel'
import { common } from '@/messages/common'
import { messages } from '@/messages/validate'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { Term } from '@/ui/term'
import { UserLine, UserText } from '@/ui/user-text'

/** Shows the submission of a verdict. Screen readers announce each state. */
export function VerdictPanel({ submission }: { submission: VerdictSubmission }) {
  const { state } = submission
  const text = state.name === 'failed' ? state.fault.title : messages.announce[state.name]
  const panel = useShownState(state.name, text)
  return (
    <section
      ref={panel}
      aria-label={messages.form.verdict}
      className="min-w-0 scroll-my-6 rounded-xl border border-line p-5"
    >
      <p aria-live="polite" className="sr-only">
        {text}
      </p>
      <State submission={submission} />
    </section>
  )
}

function State({ submission }: { submission: VerdictSubmission }) {
  const { state, confirm, again, unblock, dismiss } = submission
  const back = (
    <Button variant="quiet" onClick={dismiss}>
      {common.back}
    </Button>
  )
  switch (state.name) {
    case 'idle':
      return null
    case 'checking':
    case 'sending':
      return <Working>{messages.announce[state.name]}</Working>
    case 'wallet':
      return <Working>{messages.panel.inWallet}</Working>
    case 'review':
      return (
        <Review review={state.review}>
          <Button onClick={confirm}>{messages.panel.sign}</Button>
          {back}
        </Review>
      )
    case 'blocked':
      return (
        <Blocked as="p" state={state} onUnblock={unblock}>
          {back}
        </Blocked>
      )
    case 'declined':
      return (
        <Stopped as="p" title={messages.panel.declined} hint={messages.panel.nothingSigned}>
          <Button onClick={again}>{common.tryAgain}</Button>
          {back}
        </Stopped>
      )
    case 'failed':
      return (
        <Stopped as="p" bad title={state.fault.title} hint={state.fault.hint}>
          <Button onClick={again}>
            {state.signed ? messages.panel.sendAgain : common.tryAgain}
          </Button>
          {back}
        </Stopped>
      )
  }
}

function Working({ children }: { children: ReactNode }) {
  return (
    <p data-heading className="flex items-start gap-3 font-medium outline-none">
      <LoaderCircle aria-hidden className="mt-0.5 size-5 shrink-0 animate-spin text-accent" />
      {children}
    </p>
  )
}

/** Shows what the validator will sign. */
function Review({ review, children }: { review: VerdictReview; children: ReactNode }) {
  const { decision, verdict, chain } = review
  return (
    <div>
      <h4 data-heading className="flex items-center gap-2.5 text-lg font-semibold outline-none">
        <PenLine aria-hidden className="size-5 text-accent" />
        {messages.panel.check}
      </h4>
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft">{messages.panel.signature}</p>
      <dl className="mt-4 grid gap-2.5 text-[0.9375rem]">
        <Term term={common.task}>
          <span translate="no">{`${verdict.message.taskId}`}</span>,{' '}
          <UserLine>{review.title}</UserLine>
        </Term>
        <Term term={messages.panel.verdict}>
          {decision.approved ? messages.choice.pay.word : messages.choice.reject.word}
        </Term>
        <Term term={messages.panel.round}>{messages.round(review.round)}</Term>
        <Term term={messages.panel.fingerprint}>
          <Address hex={verdict.message.workHash} />
        </Term>
        <Term term={messages.panel.contract}>
          {messages.panel.escrow} <Address hex={verdict.domain.verifyingContract} />
        </Term>
        <Term term={messages.panel.chain}>{messages.panel.chainOf(chain.name, chain.id)}</Term>
        <div>
          <dt className="text-ink-soft">{messages.panel.reason}</dt>
          <dd className="mt-1 border-l-2 border-line-strong/60 pl-4">
            <UserText>{decision.reason}</UserText>
          </dd>
        </div>
      </dl>
      <div className="mt-5 flex flex-wrap gap-3">{children}</div>
    </div>
  )
}
