import { LoaderCircle, PenLine } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Giving, VerdictState } from '@/chain/use-verdict'
import type { VerdictReview } from '@/chain/verdict-review'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { Blocked, Stopped } from '@/ui/stopped'
import { UserLine, UserText } from '@/ui/user-text'

const sayings: Record<VerdictState['name'], string> = {
  idle: '',
  checking: 'Checking what you will sign …',
  blocked: 'Your wallet is not ready.',
  review: 'Look at what you will sign.',
  wallet: 'Your wallet asks you to sign.',
  sending: 'Signed. The market takes it down …',
  declined: 'You said no in the wallet. Nothing was signed.',
  failed: 'It did not work.',
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
      Back
    </Button>
  )
  switch (state.name) {
    case 'idle':
      return null
    case 'checking':
    case 'sending':
      return <Working>{sayings[state.name]}</Working>
    case 'wallet':
      return (
        <Working>Your wallet asks you to sign. If it does not open, look for its icon.</Working>
      )
    case 'review':
      return (
        <Review review={state.review}>
          <Button onClick={confirm}>Sign in my wallet</Button>
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
        <Stopped as="p" title="You said no in the wallet." hint="Nothing was signed.">
          <Button onClick={again}>Try again</Button>
          {back}
        </Stopped>
      )
    case 'failed':
      return (
        <Stopped as="p" bad title={state.fault.title} hint={state.fault.hint}>
          <Button onClick={again}>{state.signed ? 'Send it again' : 'Try again'}</Button>
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
        Look before you sign
      </h4>
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft">
        A signature, free and no transaction. It counts once and cannot be taken back.
      </p>
      <dl className="mt-4 grid gap-2.5 text-[0.9375rem]">
        <Line term="Task">
          {`${verdict.message.taskId}`}, <UserLine>{review.title}</UserLine>
        </Line>
        <Line term="Verdict">{given.approved ? 'Pay the human' : 'Refuse the work'}</Line>
        <Line term="Round">{review.round === 1 ? 'Dispute' : 'Review'}</Line>
        <Line term="Fingerprint of the work">
          <Address hex={verdict.message.workHash} />
        </Line>
        <Line term="Contract">
          Escrow <Address hex={verdict.domain.verifyingContract} />
        </Line>
        <Line term="Chain">
          {chain.name}, number {chain.id}
        </Line>
        <div>
          <dt className="text-ink-soft">Reason, sent with it and not signed</dt>
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
