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
import { messages } from '@/messages/task'
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
        {messages.terms.title}
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-4">
        <Figure term={messages.terms.lock}>
          <Amount wei={task.stakeAmount} symbol={symbol} />
        </Figure>
        <Figure term={messages.terms.receive}>
          <Amount wei={task.payoutAmount} symbol={symbol} />
        </Figure>
      </dl>
      <h3 className="mt-6 border-t border-line pt-5 text-[0.9375rem] font-semibold">
        {messages.terms.stake}
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
  outcome: string
  lost?: boolean
}

function outcomes({ stake }: Contracts): OutcomeProps[] {
  return [
    {
      icon: Handshake,
      when: messages.terms.accepted.when,
      outcome: messages.terms.accepted.outcome,
    },
    {
      icon: UserRoundCheck,
      when: messages.terms.released.when,
      outcome: messages.terms.released.outcome,
    },
    {
      icon: Undo2,
      when: messages.terms.withdrawn.when,
      outcome: messages.terms.withdrawn.outcome,
    },
    {
      icon: TimerOff,
      when: messages.terms.expired.when,
      outcome: messages.terms.expired.outcome(duration(stake.lifetime)),
    },
    {
      icon: Ban,
      when: messages.terms.rejected.when,
      outcome: messages.terms.rejected.outcome,
      lost: true,
    },
    {
      icon: Gavel,
      when: messages.terms.workRejected.when,
      outcome: messages.terms.workRejected.outcome,
      lost: true,
    },
  ]
}

function Outcome({ icon: Icon, when, outcome, lost = false }: OutcomeProps) {
  return (
    <li className="flex gap-3">
      <Icon
        aria-hidden
        className={`mt-0.5 size-[1.125rem] shrink-0 ${lost ? 'text-bad' : 'text-good'}`}
      />
      <span>
        <span className="block font-medium">{when}</span>
        <span className="block text-ink-soft">{outcome}</span>
      </span>
    </li>
  )
}
