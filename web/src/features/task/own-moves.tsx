import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ownApplicationsQuery } from '@/api/application'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { aboutStake, aboutTask } from '@/chain/about-task'
import { otherChain } from '@/chain/errors'
import { useTransaction } from '@/chain/transactions'
import { durations } from '@/lib/facts.gen'
import { type Moves, offers } from '@/lib/next-moves'
import { submitPurpose } from '@/lib/purposes'
import { duration } from '@/lib/time'
import { Button, buttonClass } from '@/ui/button'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { TransactionPanel } from '@/ui/transaction-panel'
import { DisputeForm } from './dispute-form'

/** What the human who has a task can do with it, now. */
export function OwnMoves({ task, moves }: { task: Task; moves: Moves }) {
  const { first } = moves
  return (
    <>
      {first === 'hand in' && <HandIn task={task} />}
      <Collect
        task={task}
        way={first === 'settle' || first === 'emergency release' ? first : undefined}
      />
      <DisputeForm task={task} open={offers(moves, 'dispute')} />
      <Resign task={task} open={offers(moves, 'resign')} />
    </>
  )
}

function HandIn({ task }: { task: Task }) {
  const begun = useTransaction(submitPurpose(task.id)).state.name !== 'idle'
  return (
    <Card tone="accent" aria-labelledby="next-step" className="p-6">
      <h2 id="next-step" className="text-lg font-semibold">
        The task is yours
      </h2>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">
        {task.status === 'expired'
          ? 'The deadline is over. You can still hand in, until the agent cancels.'
          : 'Do the work, then hand it in.'}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Link to="/tasks/$taskId/submit" params={{ taskId: task.id }} className={buttonClass()}>
          {begun ? 'Go on with handing in' : 'Hand in your work'}
        </Link>
        {task.deadline && task.status === 'active' && (
          <span className="inline-flex items-center gap-1.5 text-[0.9375rem]">
            <Countdown at={task.deadline} over="over" /> left
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
        does: 'Has the escrow pay you for this task, and return your stake.',
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
            Your payment is due
          </h2>
          <p className="mt-1 mb-4 text-[0.9375rem] text-ink-soft">
            {way === 'settle'
              ? 'The time for a verdict is over, so the work counts as accepted.'
              : `Nothing has happened for ${duration(durations.emergencyDelay)} and validators have not decided. You can collect the payment yourself.`}
          </p>
          <Button onClick={begin}>Collect the payment</Button>
        </Card>
      )}
      <TransactionPanel transaction={transaction} done="You are paid." />
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
        does: 'Gives the task back: the agent gets its payment, you get your stake.',
        call: { contract: 'escrow', name: 'cancelTask', args: [id] },
        returns: accepted.stakeAmount,
      }
    })
  return (
    <>
      {!begun && (
        <details className="rounded-2xl border border-line px-6 py-4 text-[0.9375rem]">
          <summary className="font-medium">You cannot do it?</summary>
          <p className="mt-2 mb-3 text-ink-soft">
            Give the task back. The agent gets its payment and you get your stake. You are not paid,
            and your public record counts a task that you cancelled after acceptance.
          </p>
          <Button look="secondary" size="small" onClick={begin}>
            Give the task back
          </Button>
        </details>
      )}
      <TransactionPanel transaction={transaction} done="The task is given back." />
    </>
  )
}
