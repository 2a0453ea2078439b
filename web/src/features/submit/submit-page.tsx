import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { PackageCheck, SearchX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Human } from '@/api/human'
import { useSession } from '@/api/session'
import { type Task, taskQuery } from '@/api/task'
import { Loading } from '@/components/loading'
import { hasEnded } from '@/components/task-status'
import { common } from '@/messages/common'
import { messages } from '@/messages/submit'
import { ButtonLink } from '@/ui/button-link'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { TaskBackLink } from '@/ui/task-back-link'
import { storeDraft } from './draft'
import { SubmitForm } from './submit-form'

/** The page for submitting work. */
export function SubmitPage() {
  const { taskId } = useParams({ from: '/own/tasks/$taskId/submit' })
  const me = useSession()
  // Refetch, because data cached before the acceptance would redirect the human to the task's page.
  const task = useQuery({ ...taskQuery(taskId), refetchOnMount: 'always' })
  const isKnown = task.data && me && (task.data.humanId === me.id || !task.isFetching)
  return (
    <Page title={messages.title} intro={task.data && <TaskBackLink task={task.data} />}>
      {isKnown ? (
        <Body task={task.data} me={me} />
      ) : (
        <Loading query={task} items={3} className="h-32" />
      )}
    </Page>
  )
}

function Body({ task, me }: { task: Task; me: Human }) {
  const toTask = (
    <ButtonLink to="/tasks/$taskId" params={{ taskId: task.id }}>
      {common.seeTask}
    </ButtonLink>
  )
  if (task.humanId !== me.id) {
    return (
      <EmptyState icon={SearchX} title={messages.notYours.title} action={toTask}>
        {messages.notYours.text}
      </EmptyState>
    )
  }
  if (task.submittedAt) return <Submitted taskId={task.id}>{toTask}</Submitted>
  if (hasEnded(task.status)) {
    return (
      <EmptyState icon={SearchX} title={messages.ended.title} action={toTask}>
        {messages.ended.text}
      </EmptyState>
    )
  }
  return <SubmitForm key={task.id} task={task} />
}

/** Shown once the work is on the chain. Deletes the stored draft. */
function Submitted({ taskId, children }: { taskId: string; children: ReactNode }) {
  useEffect(() => storeDraft(taskId, undefined), [taskId])
  return (
    <EmptyState icon={PackageCheck} title={messages.submitted.title} action={children}>
      {messages.submitted.text}
    </EmptyState>
  )
}
