import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lockedTasksQuery } from '@/api/earnings'
import type { Human } from '@/api/human'
import type { Task } from '@/api/task'
import { messages } from '@/messages/earnings'
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

  return (
    <dl className="grid gap-4 md:grid-cols-3">
      <Figure
        term={messages.total.title}
        wei={paid && sum(paid, (task) => task.payoutAmount)}
        symbol={symbol}
      >
        {paid && (paid.length > 0 ? messages.total.tasks(paid.length) : messages.total.none)}
      </Figure>
      <Figure
        term={messages.locked.title}
        wei={locked && sum(locked, (task) => task.payoutAmount)}
        symbol={symbol}
      >
        {locked &&
          (locked.length > 0
            ? messages.locked.tasks(
                locked.length,
                <Amount wei={sum(locked, stakeOf)} symbol={symbol} />,
              )
            : messages.locked.none)}
      </Figure>
      {funds.data !== null && (
        <Figure term={messages.wallet.title} wei={funds.data?.balance} symbol={symbol}>
          {funds.isError ? messages.wallet.unreachable : messages.wallet.live}
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
