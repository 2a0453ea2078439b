import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Application, ownApplicationsQuery } from '@/api/application'
import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { isUnderWay, useTransaction } from '@/chain/transactions'
import { Amount } from '@/ui/amount'
import { buttonClass } from '@/ui/button'
import { TransactionPanel } from '@/ui/transaction-panel'
import { MyApplication } from './my-application'
import { primaryAction } from './primary-action'
import { stakePurpose } from './stake-intents'

/** What the reader can do with a task now, before everything else, and how far they are. */
export function ActionCard({ task }: { task: Task }) {
  const next = useQuery(taskNextQuery(task.id))
  const own = useQuery({ ...ownApplicationsQuery(task.id), enabled: task.hasApplied })
  const locking = useTransaction(stakePurpose(task))
  const application = task.hasApplied ? own.data?.[0] : undefined
  const action =
    next.data &&
    primaryAction({
      role: next.data.role,
      status: task.status,
      actions: next.data.actions,
      application: application?.status,
    })
  const isBusy = isUnderWay(locking.state)
  return (
    <>
      {application && application.status !== 'accepted' && (
        <MyApplication
          application={application}
          action={action}
          isBusy={isBusy}
          onWithdraw={locking.dismiss}
        />
      )}
      {!application && action === 'apply' && !isBusy && <Apply task={task} />}
      {application && action === 'apply' && !isBusy && <ApplyAgain application={application} />}
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
