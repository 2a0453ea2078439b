import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Contracts, useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { duration } from '@/lib/time'
import { messages } from '@/messages/task'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { paymentOf, payoutIs } from './payment'

/** What the task pays, when, and what can be lost. `mine` if it is assigned to the reader. */
export function MoneyCard({ task, mine }: { task: Task; mine: boolean }) {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? ''
  return (
    <Card aria-labelledby="money" className="p-6">
      <h2 id="money" className="text-[0.9375rem] text-ink-soft">
        {payoutIs(task, mine)}
      </h2>
      <Amount
        wei={task.payoutAmount}
        symbol={symbol}
        className="block text-4xl font-semibold tracking-tight"
      />
      <p className="mt-1.5 text-[0.9375rem]">
        {contracts && <When task={task} mine={mine} contracts={contracts} />}
      </p>
      <dl className="mt-5 grid gap-2.5 border-t border-line pt-5 text-[0.9375rem]">
        <Line
          term={
            task.settledAt || task.cancelledAt
              ? messages.money.wasInEscrow
              : messages.money.inEscrow
          }
        >
          <Amount wei={task.escrowAmount} symbol={symbol} />
        </Line>
        <Line term={messages.money.fee(task.feePercent)}>
          <Amount wei={task.escrowAmount - task.payoutAmount} symbol={symbol} />
        </Line>
        <Line
          term={
            mine || task.status === 'funded' ? messages.money.yourStake : messages.money.theirStake
          }
        >
          <Amount wei={task.stakeAmount} symbol={symbol} />
        </Line>
      </dl>
      {task.status === 'funded' && !task.hasApplied && (
        <p className="mt-4 text-sm text-ink-soft">{messages.money.stakeRules}</p>
      )}
    </Card>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}

interface WhenProps {
  task: Task
  mine: boolean
  contracts: Contracts
}

/** When the human is paid, and what the human loses otherwise. */
function When({ task, mine, contracts: { windows, token } }: WhenProps) {
  const next = useQuery(taskNextQuery(task.id))
  const payment = paymentOf(task, next.data?.ifNobodyActs.turns ?? [], windows)
  const stake = <Amount wei={task.stakeAmount} symbol={token.symbol} />

  switch (payment.kind) {
    case 'open':
      return messages.money.open(duration(payment.seconds))
    case 'undecided':
      return messages.money.undecided(<Time at={payment.at} show="both" />, mine, stake)
    case 'sure':
      return messages.money.certain(<Time at={payment.at} show="both" />)
    case 'over':
      if (payment.at) return messages.money.paid(<Time at={payment.at} show="both" />)
      if (task.status !== 'rejected') return messages.money.nothing
      return messages.money.rejected(mine, stake)
  }
}
