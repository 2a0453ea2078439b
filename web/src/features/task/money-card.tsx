import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Contracts, useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { duration } from '@/lib/time'
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
        <Line term={task.settledAt || task.cancelledAt ? 'Was in escrow' : 'In escrow'}>
          <Amount wei={task.escrowAmount} symbol={symbol} />
        </Line>
        <Line term={`Fee, ${task.feePercent} %`}>
          <Amount wei={task.escrowAmount - task.payoutAmount} symbol={symbol} />
        </Line>
        <Line term={mine || task.status === 'funded' ? 'Your stake' : 'The human’s stake'}>
          <Amount wei={task.stakeAmount} symbol={symbol} />
        </Line>
      </dl>
      {task.status === 'funded' && !task.hasApplied && (
        <p className="mt-4 text-sm text-ink-soft">
          You lock the stake when you apply. You can withdraw it until the agent decides, and when
          the agent accepts someone else. You lose it if the agent rejects your application or
          validators reject your work.
        </p>
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
  const whose = mine ? 'your' : 'the human’s'
  switch (payment.kind) {
    case 'open':
      return `when the work is approved, or automatically ${duration(payment.seconds)} after it is submitted, unless validators reject it`
    case 'undecided':
      return (
        <>
          Without a decision it is paid automatically on <Time at={payment.at} show="both" />. If
          validators reject the work, nothing is paid and {whose} stake of {stake} is lost.
        </>
      )
    case 'sure':
      return (
        <>
          at the latest on <Time at={payment.at} show="both" />
        </>
      )
    case 'over':
      if (payment.at) {
        return (
          <>
            on <Time at={payment.at} show="both" />
          </>
        )
      }
      if (task.status !== 'rejected') return 'This task pays nothing any more.'
      return (
        <>
          Validators rejected the work. {mine ? 'You' : 'The human'} lost {mine ? 'your' : 'the'}{' '}
          stake of {stake}.
        </>
      )
  }
}
