import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type Application, myTaskApplicationsQuery } from '@/api/application'
import { type Offer, offersFor } from '@/api/offers'
import { useSession } from '@/api/session'
import { type Task, taskQuery } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { isUnderWay } from '@/chain/transactions'
import { ErrorBanner } from '@/components/error-banner'
import { SignInFirst } from '@/components/sign-in-first'
import { TransactionPanel } from '@/components/transaction-panel'
import { useNow } from '@/lib/now'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { ButtonLink } from '@/ui/button-link'
import { Columns } from '@/ui/columns'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { TaskBackLink } from '@/ui/task-back-link'
import { AgeCard, useNeedsAge } from './age-card'
import { ApplyForm } from './apply-form'
import { ApplyTerms } from './apply-terms'
import { useStakeLock } from './use-stake-lock'

/** The page for applying: the message, the costs and risks, and the signature. */
export function ApplyPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId/apply' })
  const human = useSession()
  const task = useQuery({ ...taskQuery(taskId), enabled: Boolean(human) })
  const next = useQuery({ ...taskNextQuery(taskId), enabled: Boolean(human) })
  const applications = useQuery({ ...myTaskApplicationsQuery(taskId), enabled: Boolean(human) })
  const now = useNow()
  if (human === null) {
    return (
      <SignInFirst page={messages.applyPage.title} title={messages.page.signIn}>
        {messages.page.signInText}
      </SignInFirst>
    )
  }
  if (task.data && next.data && applications.data) {
    const application = applications.data[0]
    const { first } = offersFor({
      role: next.data.role,
      status: task.data.status,
      actions: next.data.actions,
      application: application?.status,
      now,
    })
    return <Applying task={task.data} action={first} application={application} />
  }
  const error = task.error ?? next.error ?? applications.error
  return (
    <Page title={messages.applyPage.title}>
      {error ? <ErrorBanner error={error} /> : <SkeletonList items={2} className="h-56" />}
    </Page>
  )
}

interface Props {
  task: Task
  action: Offer | undefined
  application: Application | undefined
}

function Applying({ task, action, application }: Props) {
  const transaction = useStakeLock(task, application)
  // A stored transaction result may belong to an earlier application.
  const begins = action === 'apply' && !isUnderWay(transaction.state)
  const isIdle = begins || transaction.state.name === 'idle'
  const canApply = action === 'apply' || action === 'lock stake'
  const needsAge = useNeedsAge() && action === 'apply'
  return (
    <Page title={messages.applyPage.title} intro={<TaskBackLink task={task} />}>
      <Columns beside={<ApplyTerms task={task} />}>
        <div className="grid gap-6">
          {isIdle && needsAge && <AgeCard />}
          {isIdle && canApply && !needsAge && (
            <ApplyForm
              task={task}
              recorded={action === 'lock stake' ? application : undefined}
              transaction={transaction}
            />
          )}
          {isIdle && !canApply && <NotNow task={task} application={application} />}
          {!begins && (
            <TransactionPanel
              transaction={transaction}
              done={messages.applyPage.done}
              next={<BackToTask task={task} />}
            />
          )}
        </div>
      </Columns>
    </Page>
  )
}

function BackToTask({ task }: { task: Task }) {
  return (
    <ButtonLink to="/tasks/$taskId" params={{ taskId: task.id }}>
      {common.seeTask}
    </ButtonLink>
  )
}

/** Explains why the user cannot apply. */
function NotNow({ task, application }: Pick<Props, 'task' | 'application'>) {
  const { title, text } =
    messages.applyPage[application?.status === 'pending' ? 'applied' : 'closed']
  return (
    <EmptyState icon={ArrowLeft} title={title} action={<BackToTask task={task} />}>
      {text}
    </EmptyState>
  )
}
