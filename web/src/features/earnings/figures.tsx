import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lockedTasksQuery } from '@/api/earnings'
import type { Human } from '@/api/human'
import type { Task } from '@/api/task'
import { Amount } from '@/ui/amount'
import { Skeleton } from '@/ui/skeleton'
import { useFunds } from './use-funds'

interface Props {
  me: Human
  paid: Task[] | undefined
  symbol: string
}

const sum = (tasks: Task[], of: (task: Task) => bigint) =>
  tasks.reduce((total, task) => total + of(task), 0n)

/** The sums that matter: what was earned, what is locked for the reader, what their wallet has. */
export function Figures({ me, paid, symbol }: Props) {
  const locked = useQuery(lockedTasksQuery).data
  const funds = useFunds(me)
  const count = (tasks: Task[]) => (tasks.length === 1 ? '1 task' : `${tasks.length} tasks`)
  return (
    <dl className="grid gap-4 md:grid-cols-3">
      <Figure
        term="Earned in all"
        wei={paid && sum(paid, (task) => task.payoutAmount)}
        symbol={symbol}
      >
        {paid && (paid.length > 0 ? `${count(paid)}, after fees` : 'Nothing yet')}
      </Figure>
      <Figure
        term="In escrow for your tasks"
        wei={locked && sum(locked, (task) => task.payoutAmount)}
        symbol={symbol}
      >
        {locked &&
          (locked.length > 0 ? (
            <>
              {count(locked)}, and your stakes of{' '}
              <Amount wei={sum(locked, stakeOf)} symbol={symbol} />. You lose both if validators
              reject the work.
            </>
          ) : (
            'No task under way'
          ))}
      </Figure>
      {funds.data !== null && (
        <Figure term="In your wallet" wei={funds.data?.balance} symbol={symbol}>
          {funds.isError
            ? 'The network cannot be reached at the moment.'
            : 'As the chain says, this minute'}
        </Figure>
      )}
    </dl>
  )
}

const stakeOf = (task: Task) => task.stakeAmount

interface FigureProps {
  term: string
  wei: bigint | undefined
  symbol: string
  children: ReactNode
}

function Figure({ term, wei, symbol, children }: FigureProps) {
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6">
      <dt className="text-[0.9375rem] text-ink-soft">{term}</dt>
      <dd className="mt-1">
        {wei === undefined ? (
          <Skeleton className="h-9 w-32" />
        ) : (
          <Amount
            wei={wei}
            symbol={symbol}
            className="text-3xl font-semibold tracking-tight md:max-lg:text-2xl"
          />
        )}
        <span className="mt-1.5 block min-h-5 text-sm text-ink-soft">{children}</span>
      </dd>
    </div>
  )
}
