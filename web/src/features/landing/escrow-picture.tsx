import { Bot, LockKeyhole, UserRound } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import { payoutOf } from '@/lib/amount'
import { durations } from '@/lib/facts.gen'
import { duration } from '@/lib/time'
import { messages } from '@/messages/landing'
import { Amount } from '@/ui/amount'
import { Station } from '@/ui/station'

const example = 10n * 10n ** 18n
// Default values, shown until the current rules have loaded.
const usual = { symbol: 'TASK', fee: 500, silence: durations.settleDelay }

/** A diagram of the payment's path from the agent to the human. */
export function EscrowPicture() {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? usual.symbol
  const payout = payoutOf(example, contracts?.feeBasisPoints ?? usual.fee)
  const silence = duration(contracts?.windows.silent_settlement ?? usual.silence)
  return (
    <figure className="rounded-3xl border border-line bg-surface p-6 shadow-lift sm:p-8">
      <ol className="grid">
        <Station icon={Bot} {...messages.picture.agent}>
          <Amount wei={example} symbol={symbol} className="text-lg font-semibold" />
        </Station>
        <Station icon={LockKeyhole} {...messages.picture.escrow} lit>
          <span className="text-sm font-medium text-accent">{messages.picture.locked}</span>
        </Station>
        <Station icon={UserRound} {...messages.picture.human(silence)} last>
          <Amount wei={payout} symbol={symbol} className="text-lg font-semibold text-good" />
        </Station>
      </ol>
      <figcaption className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
        {messages.picture.caption}
      </figcaption>
    </figure>
  )
}
