import { Ban, Handshake, type LucideIcon, TimerOff, Undo2, UserRoundCheck } from 'lucide-react'
import { type Contracts, useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { duration } from '@/lib/time'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { Figure } from '@/ui/figure'

/** What the work pays, what the stake is, and everything that can happen to it. */
export function ApplyTerms({ task }: { task: Task }) {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? ''
  return (
    <Card aria-labelledby="terms" className="p-6">
      <h2 id="terms" className="text-lg font-semibold">
        What is at stake
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-4">
        <Figure term="You lock now">
          <Amount wei={task.stakeAmount} symbol={symbol} />
        </Figure>
        <Figure term="You receive for the work">
          <Amount wei={task.payoutAmount} symbol={symbol} />
        </Figure>
      </dl>
      <h3 className="mt-6 border-t border-line pt-5 text-[0.9375rem] font-semibold">
        What happens to your stake
      </h3>
      <ul className="mt-3 grid gap-3.5 text-[0.9375rem]">
        {contracts && outcomes(contracts).map((each) => <Outcome key={each.when} {...each} />)}
      </ul>
    </Card>
  )
}

interface OutcomeProps {
  icon: LucideIcon
  when: string
  fate: string
  lost?: boolean
}

function outcomes({ stake }: Contracts): OutcomeProps[] {
  return [
    {
      icon: Handshake,
      when: 'You are accepted',
      fate: 'It comes back with your pay, or when the task is cancelled. Only a verdict against your work loses it.',
    },
    {
      icon: UserRoundCheck,
      when: 'Another is accepted',
      fate: 'It is free at once; you take it back on the task.',
    },
    { icon: Undo2, when: 'You withdraw', fate: 'It is back at once, any time before a decision.' },
    {
      icon: TimerOff,
      when: 'Nobody decides',
      fate: `It is free after ${duration(stake.lifetime)}.`,
    },
    {
      icon: Ban,
      when: 'The agent rejects you',
      fate: 'It is lost: it goes to the treasury, not to the agent.',
      lost: true,
    },
  ]
}

function Outcome({ icon: Icon, when, fate, lost = false }: OutcomeProps) {
  return (
    <li className="flex gap-3">
      <Icon
        aria-hidden
        className={`mt-0.5 size-[1.125rem] shrink-0 ${lost ? 'text-bad' : 'text-good'}`}
      />
      <span>
        <span className="block font-medium">{when}</span>
        <span className="block text-ink-soft">{fate}</span>
      </span>
    </li>
  )
}
