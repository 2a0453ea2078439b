import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ownApplicationsQuery } from '@/api/application'
import { useContracts } from '@/api/contracts'
import type { Offers } from '@/api/offers'
import type { Task } from '@/api/task'
import { isUnderWay, useTransaction } from '@/chain/transactions'
import { StakeRisk } from '@/components/stake-risk'
import { TransactionPanel } from '@/components/transaction-panel'
import { shortAmount } from '@/lib/amount'
import { messages } from '@/messages/task'
import { buttonClass } from '@/ui/button'
import { MyApplication } from './my-application'
import { stakePurpose } from './stake-intents'

/** What the reader can do with a task now, before everything else, and how far they are. */
export function ActionCard({ task, offers }: { task: Task; offers: Offers }) {
  const own = useQuery({ ...ownApplicationsQuery(task.id), enabled: task.hasApplied })
  const locking = useTransaction(stakePurpose(task))
  const application = task.hasApplied ? own.data?.[0] : undefined
  const canApply = offers.first === 'apply'
  const isBusy = isUnderWay(locking.state)
  return (
    <>
      {application && application.status !== 'accepted' && (
        <MyApplication
          task={task}
          application={application}
          offers={offers}
          isBusy={isBusy}
          onWithdraw={locking.dismiss}
        />
      )}
      {!application && canApply && !isBusy && <Apply task={task} />}
      {application && canApply && !isBusy && <ApplyAgain task={task} />}
      <TransactionPanel transaction={locking} done={messages.stakeLocked} />
    </>
  )
}

function Apply({ task }: { task: Task }) {
  return (
    <div className="grid gap-2">
      <Link
        to="/tasks/$taskId/apply"
        params={{ taskId: task.id }}
        className={`${buttonClass()} w-full`}
      >
        {messages.apply}
      </Link>
      <p className="text-sm text-ink-soft">
        <StakeRisk task={task} by="apply" />
      </p>
    </div>
  )
}

function ApplyAgain({ task }: { task: Task }) {
  const symbol = useContracts()?.token.symbol ?? ''
  return (
    <div className="grid gap-2">
      <Link
        to="/tasks/$taskId/apply"
        params={{ taskId: task.id }}
        className={`${buttonClass('secondary')} w-full`}
      >
        {messages.applyAgain(`${shortAmount(task.stakeAmount)} ${symbol}`)}
      </Link>
      <p className="text-sm text-ink-soft">
        <StakeRisk task={task} by="apply" />
      </p>
    </div>
  )
}
