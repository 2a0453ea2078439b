import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { applicationStakesQuery, lockedTasksQuery, lostStakesQuery } from '@/api/earnings'
import type { Human } from '@/api/human'
import type { Task } from '@/api/task'
import { TokenAmount } from '@/components/token-amount'
import { messages } from '@/messages/earnings'
import { Skeleton } from '@/ui/skeleton'
import { useFunds } from './use-funds'

interface Props {
  me: Human
  paid: Task[] | undefined
}

const sumOf = (tasks: Task[], amount: 'payoutAmount' | 'stakeAmount') =>
  tasks.reduce((total, task) => total + task[amount], 0n)

/** The total amounts that the human has earned, has in escrow and has in the wallet. */
export function Figures({ me, paid }: Props) {
  const locked = useQuery(lockedTasksQuery).data
  const applied = useQuery(applicationStakesQuery).data
  const lost = useQuery(lostStakesQuery).data
  const funds = useFunds(me)
  return (
    <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <Figure term={messages.total.title} wei={paid && sumOf(paid, 'payoutAmount')}>
        {paid && (paid.length > 0 ? messages.total.tasks(paid.length) : messages.total.none)}
      </Figure>
      <Figure
        term={messages.losses.title}
        wei={lost && -lost.reduce((sum, { amount }) => sum + amount, 0n)}
      >
        {lost && messages.losses.count(lost.length)}
      </Figure>
      <Figure term={messages.locked.title} wei={locked && sumOf(locked, 'payoutAmount')}>
        {locked?.length === 0 && messages.locked.none}
        {locked && locked.length > 0 && messages.locked.tasks(locked.length)}
      </Figure>
      <Figure
        term={messages.stakes.title}
        wei={
          locked &&
          applied &&
          sumOf(locked, 'stakeAmount') + applied.reduce((sum, stake) => sum + stake, 0n)
        }
      >
        {locked && applied && messages.stakes.of(locked.length, applied.length)}
      </Figure>
      {funds.data !== null && (
        <Figure term={messages.wallet.title} wei={funds.data?.balance}>
          {funds.isError ? messages.wallet.unreachable : messages.wallet.live}
        </Figure>
      )}
    </dl>
  )
}

interface FigureProps {
  term: string
  wei: bigint | undefined
  children: ReactNode
}

function Figure({ term, wei, children }: FigureProps) {
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6">
      <dt className="text-[0.9375rem] text-ink-soft">{term}</dt>
      <dd className="mt-1">
        {wei === undefined ? (
          <Skeleton className="h-9 w-32" />
        ) : (
          <TokenAmount
            wei={wei}
            className="text-3xl font-semibold tracking-tight md:max-lg:text-2xl"
          />
        )}
        <span className="mt-1.5 block min-h-5 text-sm text-ink-soft">{children}</span>
      </dd>
    </div>
  )
}
