import { Bot, LockKeyhole, type LucideIcon, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useContracts } from '@/api/contracts'
import { payoutOf } from '@/lib/amount'
import { duration } from '@/lib/time'
import { Amount } from '@/ui/amount'

const example = 10n * 10n ** 18n
// What stands in the picture until the rules in force are read.
const usual = { symbol: 'TASK', fee: 500, silence: 37 * 86_400 }

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
          text="no company, no person can take it"
          lit
        >
          <span className="text-sm font-medium text-accent">locked</span>
        </Station>
        <Station
          icon={UserRound}
          title="You receive"
          text={`at the latest ${silence} after you hand in your work, whoever is silent`}
          last
        >
          <Amount wei={payout} symbol={symbol} className="text-lg font-semibold text-good" />
        </Station>
      </ol>
      <figcaption className="mt-6 border-t border-line pt-4 text-sm text-ink-soft">
        An example with the fee in force. Validators decide when the two sides disagree.
      </figcaption>
    </figure>
  )
}

interface StationProps {
  icon: LucideIcon
  title: string
  text: string
  lit?: boolean
  last?: boolean
  children: ReactNode
}

function Station({ icon: Icon, title, text, lit = false, last = false, children }: StationProps) {
  return (
    <li className="relative flex gap-4 pb-8 last:pb-0">
      {!last && (
        <span
          aria-hidden
          className="absolute top-11 bottom-0 left-[1.3125rem] border-l-2 border-dotted border-line-strong/70"
        />
      )}
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-2xl ${lit ? 'bg-accent text-accent-ink' : 'bg-sunken text-ink'}`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{title}</span>
        {children}
        <span className="w-full text-[0.9375rem] text-ink-soft">{text}</span>
      </span>
    </li>
  )
}
