import { useQuery } from '@tanstack/react-query'
import { myTaskApplicationsQuery } from '@/api/application'
import type { Offers } from '@/api/offers'
import type { Task } from '@/api/task'
import { isUnderWay } from '@/chain/transactions'
import { StakeRisk } from '@/components/stake-risk'
import { TokenAmount } from '@/components/token-amount'
import { TransactionPanel } from '@/components/transaction-panel'
import { messages } from '@/messages/task'
import { ButtonLink } from '@/ui/button-link'
import { MyApplication } from './my-application'
import { useStakeLock } from './use-stake-lock'

/** The next action, with its progress, for a user who is not assigned to the task. */
export function ActionCard({ task, offers }: { task: Task; offers: Offers }) {
  const applications = useQuery({ ...myTaskApplicationsQuery(task.id), enabled: task.hasApplied })
  const application = task.hasApplied ? applications.data?.[0] : undefined
  const locking = useStakeLock(task, application)
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
      {canApply && !isBusy && <Apply task={task} again={application !== undefined} />}
      <TransactionPanel transaction={locking} done={messages.stakeLocked} />
    </>
  )
}

function Apply({ task, again }: { task: Task; again: boolean }) {
  return (
    <div className="grid gap-2">
      <ButtonLink
        to="/tasks/$taskId/apply"
        params={{ taskId: task.id }}
        variant={again ? 'secondary' : 'primary'}
        className="w-full"
      >
        {again ? messages.applyAgain(<TokenAmount wei={task.stakeAmount} />) : messages.apply}
      </ButtonLink>
      <p className="text-sm text-ink-soft">
        <StakeRisk task={task} by="apply" />
      </p>
    </div>
  )
}
