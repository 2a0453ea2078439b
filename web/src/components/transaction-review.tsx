import { FlaskConical, PenLine, Send } from 'lucide-react'
import type { Review as ReviewData } from '@/chain/review'
import type { Ask } from '@/chain/stored-transactions'
import { useWallet } from '@/chain/wallet'
import { common } from '@/messages/common'
import { messages } from '@/messages/transaction'
import { Address } from '@/ui/address'
import { Amount } from '@/ui/amount'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Term } from '@/ui/term'
import { Time } from '@/ui/time'

interface Props {
  review: ReviewData
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows what the user will sign: token, amount, spender and expiry. */
export function Review({ review, busy, onConfirm, onCancel }: Props) {
  const { development } = useWallet()
  const { intent, asks, permit } = review
  const left = permit?.signed ? asks.filter((ask) => ask !== 'permit') : asks
  return (
    <div>
      <h2 data-heading className="text-xl font-semibold outline-none">
        {messages.checkFirst}
      </h2>
      <p className="mt-1.5 text-ink-soft">{intent.does}</p>
      <ol className="mt-5 grid gap-4">
        {left.map((ask, i) => (
          <li key={ask} className="rounded-xl border border-line p-4 sm:p-5">
            <AskLine ask={ask} place={i + 1} of={left.length} />
            <dl className="mt-3 grid gap-2 text-[0.9375rem]">
              <Details ask={ask} review={review} />
            </dl>
          </li>
        ))}
      </ol>
      {(left.length > 1 || left[0] === 'batch') && (
        <p className="mt-4 text-sm text-ink-soft">
          {messages.exactPermission}
          {left.length > 1 && messages.twoRequests}
        </p>
      )}
      {development && (
        <p className="mt-4 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-soft">
          <Badge tone="wait" icon={FlaskConical}>
            {messages.developmentWallet}
          </Badge>
          {messages.testMoney}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button busy={busy} onClick={onConfirm}>
          {development ? messages.sign : messages.openWallet}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {common.notNow}
        </Button>
      </div>
    </div>
  )
}

function AskLine({ ask, place, of }: { ask: Ask; place: number; of: number }) {
  const Icon = ask === 'permit' ? PenLine : Send
  return (
    <h3 className="flex items-center gap-2.5 font-semibold">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-wash text-accent">
        <Icon aria-hidden className="size-4" />
      </span>
      {of > 1 && <span className="sr-only">{place}.</span>}
      {messages.kind[ask]}
      {ask === 'permit' && (
        <span className="text-sm font-normal text-ink-soft">{messages.free}</span>
      )}
    </h3>
  )
}

function Details({ ask, review }: { ask: Ask; review: ReviewData }) {
  const { intent, token, contract, permit } = review
  const amount = (wei: bigint) => <Amount wei={wei} symbol={token.symbol} exact />
  const permits = ask !== 'transaction' && intent.spends !== undefined
  return (
    <>
      {permits && (
        <Term term={messages.term.token}>
          <span translate="no">{token.symbol}</span> <Address hex={token.address} />
        </Term>
      )}
      {intent.spends !== undefined && (
        <Term term={permits ? messages.term.exactly : messages.term.lock}>
          {amount(intent.spends)}
        </Term>
      )}
      {intent.returns !== undefined && (
        <Term term={messages.term.getBack}>{amount(intent.returns)}</Term>
      )}
      <Term term={permits ? messages.term.spender : messages.term.contract}>
        {contract.name} <Address hex={contract.address} />
      </Term>
      {ask === 'permit' && permit && (
        <Term term={messages.term.validUntil}>
          <Time at={new Date(Number(permit.deadline) * 1_000)} show="both" />
        </Term>
      )}
      {ask !== 'permit' && <Term term={messages.term.networkFee}>{messages.feeInWallet}</Term>}
    </>
  )
}
