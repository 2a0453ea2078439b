import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Application, ownApplicationsQuery } from '@/api/application'
import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { isUnderWay, useTransaction } from '@/chain/transactions'
import type { Moves } from '@/lib/next-moves'
import { Amount } from '@/ui/amount'
import { buttonClass } from '@/ui/button'
import { TransactionPanel } from '@/ui/transaction-panel'
import { MyApplication } from './my-application'
import { stakePurpose } from './stake-intents'

/** What the reader can do with a task now, before everything else, and how far they are. */
export function ActionCard({ task, moves }: { task: Task; moves: Moves }) {
  const own = useQuery({ ...ownApplicationsQuery(task.id), enabled: task.hasApplied })
  const locking = useTransaction(stakePurpose(task))
  const application = task.hasApplied ? own.data?.[0] : undefined
  const canApply = moves.first === 'apply'
  const isBusy = isUnderWay(locking.state)
  return (
    <>
      {application && application.status !== 'accepted' && (
        <MyApplication
          task={task}
          application={application}
          moves={moves}
          isBusy={isBusy}
          onWithdraw={locking.dismiss}
        />
      )}
      {!application && canApply && !isBusy && <Apply task={task} />}
      {application && canApply && !isBusy && <ApplyAgain application={application} />}
      <TransactionPanel transaction={locking} done="Your stake is locked." />
    </>
  )
}

function Apply({ task }: { task: Task }) {
  const symbol = useContracts()?.token.symbol ?? ''
  return (
    <div className="grid gap-2">
      <Link
        to="/tasks/$taskId/apply"
        params={{ taskId: task.id }}
        className={`${buttonClass()} w-full`}
      >
        Apply for this task
      </Link>
      <p className="text-center text-sm text-ink-soft">
        with a stake of <Amount wei={task.stakeAmount} symbol={symbol} />, which comes back
      </p>
    </div>
  )
}

function ApplyAgain({ application }: { application: Application }) {
  return (
    <Link
      to="/tasks/$taskId/apply"
      params={{ taskId: application.taskId }}
      className={`${buttonClass('secondary')} w-full`}
    >
      Apply once more
    </Link>
  )
}
