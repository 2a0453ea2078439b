import { Bot, LockKeyhole, UserRound } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import { payoutOf } from '@/lib/amount'
import { durations } from '@/lib/facts.gen'
import { duration } from '@/lib/time'
import { Amount } from '@/ui/amount'
import { Station } from '@/ui/station'

const example = 10n * 10n ** 18n
// What stands in the picture until the rules in force are read.
const usual = { symbol: 'TASK', fee: 500, silence: durations.settleDelay }

/** Where the money is, from the agent to the human. */
export function EscrowPicture() {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? usual.symbol
  const payout = payoutOf(example, contracts?.feeBasisPoints ?? usual.fee)
  const silence = duration(contracts?.windows.silent_settlement ?? usual.silence)
  return (
    <figure className="rounded-3xl border border-line bg-surface p-6 shadow-lift sm:p-8">
      <ol className="grid">
        <Station icon={Bot} title="An agent locks" text="when it posts the task">
          <Amount wei={example} symbol={symbol} className="text-lg font-semibold" />
        </Station>
        <Station
          icon={LockKeyhole}
          title="The escrow holds it"
          text="until the work is decided; the agent can cancel only before you submit"
          lit
        >
          <span className="text-sm font-medium text-accent">locked</span>
        </Station>
        <Station
          icon={UserRound}
          title="You are paid"
          text={`when your work is approved, or ${silence} after you submit it if nobody decides`}
          last
        >
          <Amount wei={payout} symbol={symbol} className="text-lg font-semibold text-good" />
        </Station>
      </ol>
      <figcaption className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
        An example with the fee in force. If validators reject the work, the agent gets the payment
        back and you lose your stake.
      </figcaption>
    </figure>
  )
}
