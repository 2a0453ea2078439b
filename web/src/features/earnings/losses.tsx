import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type LostStake, lostStakesQuery } from '@/api/earnings'
import { taskQuery } from '@/api/task'
import { verdictsQuery } from '@/api/verdict'
import { Loading } from '@/components/loading'
import { TokenAmount } from '@/components/token-amount'
import { usePartialList } from '@/lib/use-partial-list'
import { common } from '@/messages/common'
import { messages } from '@/messages/earnings'
import { Card } from '@/ui/card'
import { LoadMore } from '@/ui/load-more'
import { Time } from '@/ui/time'
import { UserLine, UserText } from '@/ui/user-text'

// The number of entries shown at a time. It is small, because each entry requests its task.
const step = 10

/** The stakes that the human has lost, each with its amount and the reason. */
export function Losses() {
  const lost = useQuery(lostStakesQuery)
  const list = usePartialList(lost.data ?? [], step)
  if (lost.isLoadingError) return <Loading query={lost} items={0} className="" />
  if (!lost.data?.length) return null
  const total = lost.data.reduce((sum, { amount }) => sum + amount, 0n)
  return (
    <Card
      heading={messages.losses.title}
      headingClass="text-xl font-semibold"
      className="p-5 sm:p-7"
    >
      <p className="mt-1 text-[0.9375rem] text-ink-soft">
        {messages.losses.total(<TokenAmount wei={total} />)}
      </p>
      <ul className="mt-3 divide-y divide-line">
        {list.data.items.map((each) => (
          <Loss key={each.id} loss={each} />
        ))}
      </ul>
      <LoadMore query={list} />
    </Card>
  )
}

function Loss({ loss }: { loss: LostStake }) {
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
          {messages.losses.by[loss.by](<Time at={loss.at} show="day" />)}
        </p>
        {loss.by === 'agent' ? <Reason>{loss.reason}</Reason> : <VerdictReasons loss={loss} />}
      </div>
      <TokenAmount wei={-loss.amount} className="text-lg font-semibold text-bad" />
    </li>
  )
}

function Reason({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <UserText className="mt-1 border-l-2 border-line pl-3.5 text-[0.9375rem]">{children}</UserText>
  )
}

/** The validators' reasons for rejecting the work. */
function VerdictReasons({ loss }: { loss: LostStake }) {
  const verdicts = useQuery(verdictsQuery(loss.taskId)).data ?? []
  return verdicts
    .filter(({ approved }) => !approved)
    .map(({ id, reason }) => <Reason key={id}>{reason}</Reason>)
}
