import { LoaderCircle, PenLine } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Giving, VerdictState } from '@/chain/use-verdict'
import type { VerdictReview } from '@/chain/verdict-review'
import { Blocked, Stopped } from '@/components/stopped'
import { common } from '@/messages/common'
import { messages } from '@/messages/validate'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { UserLine, UserText } from '@/ui/user-text'

const sayings: Record<VerdictState['name'], string> = {
  idle: '',
  checking: messages.announce.checking,
  blocked: messages.announce.blocked,
  review: messages.announce.review,
  wallet: messages.announce.wallet,
  sending: messages.announce.sending,
  declined: messages.announce.declined,
  failed: messages.announce.failed,
}

/** A verdict on its way from the form to the server; each state is read aloud. */
export function VerdictPanel({ giving }: { giving: Giving }) {
  const { state } = giving
  return (
    <div className="min-w-0 rounded-xl border border-line p-5">
      <p aria-live="polite" className="sr-only">
        {state.name === 'failed' ? state.fault.title : sayings[state.name]}
      </p>
      <State giving={giving} />
    </div>
  )
}

function State({ giving }: { giving: Giving }) {
  const { state, confirm, again, unblock, dismiss } = giving
  const back = (
    <Button look="quiet" onClick={dismiss}>
      {common.back}
    </Button>
  )
  switch (state.name) {
    case 'idle':
      return null
    case 'checking':
    case 'sending':
      return <Working>{sayings[state.name]}</Working>
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
    <p className="flex items-start gap-3 font-medium">
      <LoaderCircle aria-hidden className="mt-0.5 size-5 shrink-0 animate-spin text-accent" />
      {children}
    </p>
  )
}

/** What the wallet will be asked to sign, and what goes with it. */
function Review({ review, children }: { review: VerdictReview; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { given, verdict, chain } = review
  return (
    <div>
      <h4
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-2.5 text-lg font-semibold outline-none"
      >
        <PenLine aria-hidden className="size-5 text-accent" />
        {messages.panel.check}
      </h4>
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft">{messages.panel.signature}</p>
      <dl className="mt-4 grid gap-2.5 text-[0.9375rem]">
        <Line term={common.task}>
          {`${verdict.message.taskId}`}, <UserLine>{review.title}</UserLine>
        </Line>
        <Line term={messages.panel.verdict}>
          {given.approved ? messages.choice.pay.word : messages.choice.reject.word}
        </Line>
        <Line term={messages.panel.round}>
          {review.round === 1 ? messages.round.dispute : messages.round.review}
        </Line>
        <Line term={messages.panel.fingerprint}>
          <Address hex={verdict.message.workHash} />
        </Line>
        <Line term={messages.panel.contract}>
          {messages.panel.escrow} <Address hex={verdict.domain.verifyingContract} />
        </Line>
        <Line term={messages.panel.chain}>{messages.panel.chainOf(chain.name, chain.id)}</Line>
        <div>
          <dt className="text-ink-soft">{messages.panel.reason}</dt>
          <dd className="mt-1 border-l-2 border-line-strong/60 pl-4">
            <UserText>{given.reason}</UserText>
          </dd>
        </div>
      </dl>
      <div className="mt-5 flex flex-wrap gap-3">{children}</div>
    </div>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
