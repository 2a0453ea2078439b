import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type LostStake, lostStakesQuery } from '@/api/earnings'
import { taskQuery } from '@/api/task'
import { verdictsQuery } from '@/api/verdict'
import { ErrorBanner } from '@/components/error-banner'
import { common } from '@/messages/common'
import { messages } from '@/messages/earnings'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { LoadMore } from '@/ui/load-more'
import { Time } from '@/ui/time'
import { UserLine, UserText } from '@/ui/user-text'

// Each entry reads its task.
const step = 10

/** The stakes that were lost, each with its amount and the reason. */
export function Losses({ symbol }: { symbol: string }) {
  const [shown, setShown] = useState(step)
  const lost = useQuery(lostStakesQuery)
  if (lost.isLoadingError) {
    return <ErrorBanner error={lost.error} retry={() => void lost.refetch()} />
  }
  if (!lost.data?.length) return null
  const total = lost.data.reduce((sum, { amount }) => sum + amount, 0n)
  return (
    <Card aria-labelledby="losses" className="p-5 sm:p-7">
      <h2 id="losses" className="text-xl font-semibold">
        {messages.losses.title}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">
        {messages.losses.total(<Amount wei={total} symbol={symbol} />)}
      </p>
      <ul className="mt-3 divide-y divide-line">
        {lost.data.slice(0, shown).map((each) => (
          <Loss key={each.id} loss={each} symbol={symbol} />
        ))}
      </ul>
      {lost.data.length > step && (
        <LoadMore
          shown={Math.min(shown, lost.data.length)}
          total={lost.data.length}
          hasMore={shown < lost.data.length}
          busy={false}
          onMore={() => setShown(shown + step)}
        />
      )}
    </Card>
  )
}

function Loss({ loss, symbol }: { loss: LostStake; symbol: string }) {
  const task = useQuery(taskQuery(loss.taskId)).data
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-4">
      <div className="min-w-0 flex-1">
        <Link
          to="/tasks/$taskId"
          params={{ taskId: loss.taskId }}
          className="font-medium no-underline underline-offset-4 hover:underline"
        >
          <UserLine>{task?.title ?? common.task}</UserLine>
        </Link>
        <p className="text-[0.9375rem] text-ink-soft">
          {loss.by === 'agent'
            ? messages.losses.application(<Time at={loss.at} show="day" />)
            : messages.losses.work(<Time at={loss.at} show="day" />)}
        </p>
        {loss.by === 'agent' ? <Reason>{loss.reason}</Reason> : <VerdictReasons loss={loss} />}
      </div>
      <Amount wei={-loss.amount} symbol={symbol} className="text-lg font-semibold text-bad" />
    </li>
  )
}

function Reason({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <UserText className="mt-1 border-l-2 border-line pl-3.5 text-[0.9375rem]">{children}</UserText>
  )
}

/** Why the validators rejected the work. */
function VerdictReasons({ loss }: { loss: LostStake }) {
  const verdicts = useQuery(verdictsQuery(loss.taskId)).data ?? []
  return verdicts
    .filter(({ approved }) => !approved)
    .map(({ id, reason }) => <Reason key={id}>{reason}</Reason>)
}
