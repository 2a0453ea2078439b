import { useQueryClient } from '@tanstack/react-query'
import { myTaskApplicationsQuery } from '@/api/application'
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
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { Disclosure } from './disclosure'
import { DisputeForm } from './dispute-form'

/** The actions that the assigned human can take. */
export function WorkerActions({ task, offers }: { task: Task; offers: Offers }) {
  const { first } = offers
  return (
    <>
      {first === 'submit' && <SubmitWork task={task} />}
      <Collect
        task={task}
        by={first === 'settle' || first === 'emergency release' ? first : undefined}
      />
      <DisputeForm task={task} open={hasOffer(offers, 'dispute')} />
      <Resign task={task} open={hasOffer(offers, 'resign')} />
    </>
  )
}

function SubmitWork({ task }: { task: Task }) {
  const started = useTransaction(submitPurpose(task.id)).state.name !== 'idle'
  return (
    <Card tone="accent" heading={messages.own.title} className="p-6">
      <p className="mt-1 text-[0.9375rem] text-ink-soft">
        {task.status === 'expired' ? messages.own.lateText : messages.own.text}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <ButtonLink to="/tasks/$taskId/submit" params={{ taskId: task.id }}>
          {started ? messages.own.continueSubmitting : messages.own.submit}
        </ButtonLink>
        {task.deadline && task.status === 'active' && (
          <span className="inline-flex items-center gap-1.5 text-[0.9375rem]">
            <Countdown at={task.deadline} over={common.noTime} /> {common.left}
          </span>
        )}
      </div>
    </Card>
  )
}

interface CollectProps {
  task: Task
  by: 'settle' | 'emergency release' | undefined
}

/** Collects a payment that has become due because a window has passed. */
function Collect({ task, by }: CollectProps) {
  const name = by === 'settle' ? 'settle' : 'emergencyRelease'
  const transaction = useTransaction(`collect:${task.id}`, task.status === 'rejected')
  const started = transaction.state.name !== 'idle'
  if (!by && !started) return null
  const begin = () =>
    transaction.begin(() => {
      const { id, expects } = aboutTask(task)
      return {
        expects,
        does: messages.collect.does,
        call: { contract: 'escrow', name, args: [id] },
        returns: task.payoutAmount,
      }
    })
  return (
    <>
      {by && !started && (
        <Card tone="accent" heading={messages.collect.title} className="p-6">
          <p className="mt-1 mb-4 text-[0.9375rem] text-ink-soft">
            {by === 'settle'
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

/** Lets the human give up the task before submitting work. */
function Resign({ task, open }: { task: Task; open: boolean }) {
  const queries = useQueryClient()
  const me = useSession()
  const transaction = useTransaction(`resign:${task.id}`)
  const started = transaction.state.name !== 'idle'
  if (!open && !started) return null
  const begin = () =>
    transaction.begin(async () => {
      const { id, expects } = aboutTask(task)
      const applications = await queries.fetchQuery(myTaskApplicationsQuery(task.id))
      const accepted = applications.find(({ status }) => status === 'accepted')
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
      {!started && (
        <Disclosure title={messages.resign.title} text={messages.resign.text}>
          <Button variant="secondary" size="small" onClick={begin}>
            {messages.resign.resign}
          </Button>
        </Disclosure>
      )}
      <TransactionPanel transaction={transaction} done={messages.resign.done} />
    </>
  )
}
