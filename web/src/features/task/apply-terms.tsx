import {
  Ban,
  Gavel,
  Handshake,
  type LucideIcon,
  TimerOff,
  Undo2,
  UserRoundCheck,
} from 'lucide-react'
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
        <Figure term="You receive if your work is accepted">
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
      fate: 'It is returned when you are paid, or when the task is cancelled before you submit work.',
    },
    {
      icon: UserRoundCheck,
      when: 'Another is accepted',
      fate: 'You can withdraw it at once, on the task.',
    },
    {
      icon: Undo2,
      when: 'You withdraw',
      fate: 'It is returned at once, any time before the agent decides.',
    },
    {
      icon: TimerOff,
      when: 'The agent does not decide',
      fate: `You can withdraw it at any time; after ${duration(stake.lifetime)} the agent can no longer reject you.`,
    },
    {
      icon: Ban,
      when: 'The agent rejects your application',
      fate: 'You lose it. It goes to the treasury, not to the agent.',
      lost: true,
    },
    {
      icon: Gavel,
      when: 'Validators reject your work',
      fate: 'You lose it, and the payment goes back to the agent.',
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
