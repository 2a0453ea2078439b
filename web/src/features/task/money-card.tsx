import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Contracts, useContracts } from '@/api/contracts'
import type { Task, TaskStatus } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { duration } from '@/lib/time'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { latestPayment } from './latest-payment'

/** What the task pays, when at the latest, and what is asked for it. `mine` is for who does it. */
export function MoneyCard({ task, mine }: { task: Task; mine: boolean }) {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? ''
  return (
    <Card aria-labelledby="money" className="p-6">
      <h2 id="money" className="text-[0.9375rem] text-ink-soft">
        {sumIs(task.status, mine)}
      </h2>
      <Amount
        wei={task.payoutAmount}
        symbol={symbol}
        className="block text-4xl font-semibold tracking-tight"
      />
      <p className="mt-1.5 text-[0.9375rem]">
        {contracts && <Latest task={task} windows={contracts.windows} />}
      </p>
      <dl className="mt-5 grid gap-2.5 border-t border-line pt-5 text-[0.9375rem]">
        <Line term={isOver(task.status) ? 'Was in escrow' : 'In escrow'}>
          <Amount wei={task.escrowAmount} symbol={symbol} />
        </Line>
        <Line term={`Fee, ${task.feePercent} %`}>
          <Amount wei={task.escrowAmount - task.payoutAmount} symbol={symbol} />
        </Line>
        <Line term="Your stake">
          <Amount wei={task.stakeAmount} symbol={symbol} />
        </Line>
      </dl>
      {task.status === 'funded' && !task.hasApplied && (
        <p className="mt-4 text-sm text-ink-soft">
          You lock the stake when you apply and get it back when another is accepted, when you
          withdraw before a decision, or when the task ends. It is lost only if the agent rejects
          your application, or validators your work.
        </p>
      )}
    </Card>
  )
}

const isOver = (status: TaskStatus) => ['approved', 'rejected', 'cancelled'].includes(status)

/** What the sum is that stands first. */
function sumIs(status: TaskStatus, mine: boolean): string {
  if (status === 'approved') return mine ? 'Paid to you' : 'Paid to the human'
  return isOver(status) ? 'Not paid' : 'You receive'
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}

/** The latest time at which the human is paid, whoever is silent. */
function Latest({ task, windows }: { task: Task; windows: Contracts['windows'] }) {
  const next = useQuery(taskNextQuery(task.id))
  const latest = latestPayment(task, next.data?.ifNobodyActs.turns ?? [], windows)
  switch (latest.kind) {
    case 'at':
      return (
        <>
          at the latest on <Time at={latest.at} show="both" />
        </>
      )
    case 'after':
      return `at the latest ${duration(latest.seconds)} after you hand in your work`
    case 'over':
      return latest.at ? (
        <>
          on <Time at={latest.at} show="both" />
        </>
      ) : (
        'This task pays nothing any more.'
      )
  }
}
