import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ownApplicationsQuery } from '@/api/application'
import { hasOffer, type Offers } from '@/api/offers'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { aboutStake, aboutTask } from '@/chain/about-task'
import { otherChain } from '@/chain/errors'
import { useTransaction } from '@/chain/transactions'
import { TransactionPanel } from '@/components/transaction-panel'
import { durations } from '@/lib/facts.gen'
import { submitPurpose } from '@/lib/purposes'
import { duration } from '@/lib/time'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { Button, buttonClass } from '@/ui/button'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { DisputeForm } from './dispute-form'

/** What the human who has a task can do with it, now. */
export function WorkerActions({ task, offers }: { task: Task; offers: Offers }) {
  const { first } = offers
  return (
    <>
      {first === 'submit' && <SubmitWork task={task} />}
      <Collect
        task={task}
        way={first === 'settle' || first === 'emergency release' ? first : undefined}
      />
      <DisputeForm task={task} open={hasOffer(offers, 'dispute')} />
      <Resign task={task} open={hasOffer(offers, 'resign')} />
    </>
  )
}

function SubmitWork({ task }: { task: Task }) {
  const begun = useTransaction(submitPurpose(task.id)).state.name !== 'idle'
  return (
    <Card tone="accent" aria-labelledby="next-step" className="p-6">
      <h2 id="next-step" className="text-lg font-semibold">
        {messages.own.title}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">
        {task.status === 'expired' ? messages.own.lateText : messages.own.text}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Link to="/tasks/$taskId/submit" params={{ taskId: task.id }} className={buttonClass()}>
          {begun ? messages.own.continueSubmitting : messages.own.submit}
        </Link>
        {task.deadline && task.status === 'active' && (
          <span className="inline-flex items-center gap-1.5 text-[0.9375rem]">
            <Countdown at={task.deadline} over={common.over} /> {common.left}
          </span>
        )}
      </div>
    </Card>
  )
}

interface CollectProps {
  task: Task
  way: 'settle' | 'emergency release' | undefined
}

/** Takes a payment that time alone has made due. */
function Collect({ task, way }: CollectProps) {
  const transaction = useTransaction(`collect:${task.id}`)
  const begun = transaction.state.name !== 'idle'
  if (!way && !begun) return null
  const begin = () =>
    transaction.begin(() => {
      const { id, expects } = aboutTask(task)
      return {
        expects,
        does: messages.collect.does,
        call: {
          contract: 'escrow',
          name: way === 'settle' ? 'settle' : 'emergencyRelease',
          args: [id],
        },
        returns: task.payoutAmount,
      }
    })
  return (
    <>
      {way && !begun && (
        <Card tone="accent" aria-labelledby="collect" className="p-6">
          <h2 id="collect" className="text-lg font-semibold">
            {messages.collect.title}
          </h2>
          <p className="mt-1 mb-4 text-[0.9375rem] text-ink-soft">
            {way === 'settle'
              ? messages.collect.verdictOverdue
              : messages.collect.emergency(duration(durations.emergencyDelay))}
          </p>
          <Button onClick={begin}>{messages.collect.collect}</Button>
        </Card>
      )}
      <TransactionPanel transaction={transaction} done={messages.collect.done} />
    </>
  )
}

/** Gives a task back before anything was handed in. */
function Resign({ task, open }: { task: Task; open: boolean }) {
  const queries = useQueryClient()
  const me = useSession()
  const transaction = useTransaction(`resign:${task.id}`)
  const begun = transaction.state.name !== 'idle'
  if (!open && !begun) return null
  const begin = () =>
    transaction.begin(async () => {
      const { id, expects } = aboutTask(task)
      const own = await queries.fetchQuery(ownApplicationsQuery(task.id))
      const accepted = own.find(({ status }) => status === 'accepted')
      if (!me || !accepted) throw otherChain()
      return {
        expects: [...expects, ...aboutStake(me.walletAddress, task, accepted).expects],
        does: messages.resign.does,
        call: { contract: 'escrow', name: 'cancelTask', args: [id] },
        returns: accepted.stakeAmount,
      }
    })
  return (
    <>
      {!begun && (
        <details className="rounded-2xl border border-line px-6 py-4 text-[0.9375rem]">
          <summary className="font-medium">{messages.resign.title}</summary>
          <p className="mt-2 mb-3 text-ink-soft">{messages.resign.text}</p>
          <Button look="secondary" size="small" onClick={begin}>
            {messages.resign.resign}
          </Button>
        </details>
      )}
      <TransactionPanel transaction={transaction} done={messages.resign.done} />
    </>
  )
}
