import { Check, LoaderCircle } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { transactionUrl, useContracts } from '@/api/contracts'
import type { Transaction, TransactionState } from '@/chain/transactions'
import { classNames } from '@/lib/class-names'
import { useNow } from '@/lib/now'
import { show } from '@/lib/show'
import { common } from '@/messages/common'
import { messages } from '@/messages/transaction'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Blocked, Stopped } from './stopped'
import { Revealed } from './together'
import { Review } from './transaction-review'

interface Props {
  transaction: Transaction
  /** The result as a sentence, shown once the transaction is in a block: "Your stake is locked." */
  done: string
  /** Links that lead to the next step. */
  next?: ReactNode
}

/**
 * Shows a transaction from its review to its result. Each state scrolls into view and takes the focus,
 * unless the user has moved it elsewhere. Screen readers announce each state.
 */
export function TransactionPanel({ transaction, done, next }: Props) {
  const { state } = transaction
  const text = sayings[state.name](state, done)
  const panel = useShownState(state.name, text)
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {text}
      </p>
      {state.name !== 'idle' && (
        <Card ref={panel} aria-label={messages.yours} className="scroll-my-6 p-6">
          <State transaction={transaction} done={done} next={next} />
        </Card>
      )}
    </>
  )
}

/**
 * Shows each new state of a panel: its heading receives the focus and the panel scrolls into view. A
 * result that the page already had is not shown again, nor a state that follows while the user is
 * elsewhere.
 */
export function useShownState(name: string, text: string) {
  const panel = useRef<HTMLElement>(null)
  const before = useRef({ name: 'idle', text: '' })
  const isRevealed = useContext(Revealed)
  useEffect(() => {
    if (!isRevealed) return
    const last = before.current
    before.current = { name, text }
    const box = panel.current
    if (!box || (last.name === name && last.text === text)) return
    const { activeElement } = document
    const isOld = isOldResult(name, last.name)
    // The focus is in the panel, is lost, or was moved to what contains the panel: see useFocusRecovery.
    const isHere = activeElement?.contains(box) || box.contains(activeElement)
    if (name === 'checking' || (isHere && !isOld))
      show(box.querySelector<HTMLElement>('[data-heading]') ?? box, box)
  }, [name, text, isRevealed])
  return panel
}

/** Whether a state is a result that the page already had, or had shown in the state before it. */
export const isOldResult = (name: string, last: string): boolean =>
  (name === 'included' || name === 'final') && last !== 'wallet' && last !== 'sent'

type Sayings = {
  [N in TransactionState['name']]: (state: TransactionState, done: string) => string
}

/** Describes each state in a sentence, for screen readers. */
const sayings: Sayings = {
  idle: () => '',
  checking: () => messages.announce.checking,
  blocked: (state) =>
    state.name === 'blocked' ? (state.fault?.title ?? messages.obstacle[state.by]) : '',
  review: () => messages.announce.review,
  wallet: (state) => (state.name === 'wallet' ? `${messages.ask[state.ask]}.` : ''),
  declined: () => messages.announce.declined,
  sent: () => messages.announce.sent,
  ready: () => messages.announce.ready,
  included: (_, done) => messages.announce.included(done),
  final: (_, done) => messages.announce.final(done),
  failed: (state) => (state.name === 'failed' ? state.fault.title : ''),
}

function State({ transaction, done, next }: Props) {
  const { state, confirm, dismiss, again, unblock } = transaction
  const notNow = (
    <Button variant="quiet" onClick={dismiss}>
      {common.notNow}
    </Button>
  )
  switch (state.name) {
    case 'idle':
      return null
    case 'checking':
      return <Working title={messages.checking} />
    case 'blocked':
      return (
        <Blocked state={state} onUnblock={unblock}>
          {notNow}
        </Blocked>
      )
    case 'review':
      return (
        <Review review={state.review} busy={state.busy} onConfirm={confirm} onCancel={dismiss} />
      )
    case 'wallet':
      return <InWallet transaction={transaction} />
    case 'declined':
      return (
        <Stopped title={messages.declined} hint={messages.nothingSent}>
          <Button onClick={again}>{common.tryAgain}</Button>
          {notNow}
        </Stopped>
      )
    case 'ready':
      return (
        <Stopped title={messages.permitted.title} hint={messages.permitted.hint}>
          <Button onClick={again}>{messages.continue}</Button>
        </Stopped>
      )
    case 'failed':
      return (
        <Stopped
          bad
          title={state.fault.title}
          hint={state.fault.hint}
          more={state.hash && <Hash hash={state.hash} />}
        >
          <Button onClick={again}>{common.tryAgain}</Button>
          <Button variant="quiet" onClick={dismiss}>
            {common.close}
          </Button>
        </Stopped>
      )
    case 'sent':
    case 'included':
    case 'final':
      return <Sent state={state} done={done} next={next} onClose={dismiss} />
  }
}

function Working({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex gap-3.5">
      <LoaderCircle aria-hidden className="mt-0.5 size-5 shrink-0 animate-spin text-accent" />
      <div className="min-w-0 flex-1">
        <h2 data-heading className="text-base font-semibold outline-none">
          {title}
        </h2>
        {children}
      </div>
    </div>
  )
}

function InWallet({ transaction }: { transaction: Transaction }) {
  const { state, again, dismiss } = transaction
  if (state.name !== 'wallet') return null
  if (!state.interrupted) {
    return (
      <Working title={`${messages.ask[state.ask]}…`}>
        <p className="mt-1 text-[0.9375rem] text-ink-soft">{messages.inWallet}</p>
        <Stages now="wallet" />
      </Working>
    )
  }
  const isSignature = state.ask === 'permit'
  return (
    <Stopped
      title={state.fault?.title ?? messages.left.title}
      hint={
        isSignature
          ? messages.left.signature
          : `${state.fault?.hint ?? ''} ${messages.left.transaction}`.trim()
      }
    >
      <Button onClick={again}>{isSignature ? messages.continue : messages.askAgain}</Button>
      <Button variant="quiet" onClick={dismiss}>
        {messages.discard}
      </Button>
    </Stopped>
  )
}

interface SentProps extends Pick<Props, 'done' | 'next'> {
  state: Extract<TransactionState, { name: 'sent' | 'included' | 'final' }>
  onClose: () => void
}

function Sent({ state, done, next, onClose }: SentProps) {
  const under = state.name === 'sent'
  const title = state.ask === 'approval' ? messages.permitting : messages.underWay
  const body = (
    <>
      {under && <p className="mt-1 text-[0.9375rem] text-ink-soft">{messages.canLeave}</p>}
      {under && <Late since={state.at} onForget={onClose} />}
      {state.resent && <p className="mt-1 text-[0.9375rem] text-ink-soft">{messages.resent}</p>}
      <Stages now={state.name} />
      {state.hash && <Hash hash={state.hash} />}
      {!under && (
        <div className="mt-4 flex flex-wrap gap-3">
          {next}
          <Button variant="quiet" onClick={onClose}>
            {common.close}
          </Button>
        </div>
      )}
    </>
  )
  if (under) return <Working title={title}>{body}</Working>
  return (
    <div className="flex gap-3.5">
      <span className="grid size-6 shrink-0 place-items-center rounded-full bg-good-wash text-good">
        <Check aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 data-heading className="text-base font-semibold outline-none">
          {done}
        </h2>
        {body}
      </div>
    </div>
  )
}

// In ms. A transaction that is pending for longer than this is reported as late; most take a few
// seconds.
const late = 3 * 60_000

/**
 * Offers to discard a transaction that no block has included. Wallets and nodes drop transactions
 * with low fees.
 */
function Late({ since, onForget }: { since: number; onForget: () => void }) {
  useNow() // renders again as time passes
  // `since` is the browser's time.
  if (Date.now() - since < late) return null
  return (
    <div className="mt-3 text-[0.9375rem] text-ink-soft">
      <p>{messages.late}</p>
      <Button variant="secondary" size="small" className="mt-3" onClick={onForget}>
        {messages.discard}
      </Button>
    </div>
  )
}

function Hash({ hash }: { hash: string }) {
  const contracts = useContracts()
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
      {common.transaction}
      <Address hex={hash} href={transactionUrl(contracts, hash)} />
    </p>
  )
}

const stages = ['wallet', 'sent', 'included', 'final'] as const

/** Shows the stages of a sent transaction. */
function Stages({ now }: { now: (typeof stages)[number] }) {
  const reached = stages.indexOf(now)
  return (
    <ol className="mt-4 grid grid-cols-4 gap-1.5">
      {stages.map((name, i) => {
        const isDone = i < reached || name === 'final' ? i <= reached : false
        const isNow = i === reached && !isDone
        return (
          <li
            key={name}
            aria-current={i === reached ? 'step' : undefined}
            className={classNames(
              'border-t-[3px] pt-1.5 text-[0.8125rem] leading-tight',
              isDone && 'border-good text-ink',
              isNow && 'border-accent font-medium text-ink',
              !isDone && !isNow && 'border-line text-ink-soft',
            )}
          >
            {messages.stage[name]}
            {isDone && (
              <Check aria-label={messages.stageDone} className="ml-1 inline size-3.5 text-good" />
            )}
          </li>
        )
      })}
    </ol>
  )
}
