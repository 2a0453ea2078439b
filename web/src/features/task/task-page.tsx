import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { publicBoardQuery } from '@/api/board'
import { disputeQuery } from '@/api/dispute'
import { isStatus } from '@/api/error'
import { useSession } from '@/api/session'
import { taskQuery } from '@/api/task'
import { Loading } from '@/components/loading'
import { SignInFirst } from '@/components/sign-in-first'
import { Together } from '@/components/together'
import { TokenAmount } from '@/components/token-amount'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { TaskView } from './task-view'

// The HTTP statuses for an invalid id, a task that the user may not read, and a missing task.
const absent = [400, 403, 404]

/** The page of one task. The server decides which users may read it. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId' })
  const human = useSession()
  const task = useQuery({ ...taskQuery(taskId), enabled: Boolean(human) })
  // The dispute is at the top of its page, so the page waits for it instead of moving when it arrives.
  const isMine = human?.id === task.data?.humanId && task.data?.disputedAt !== undefined
  const dispute = useQuery({ ...disputeQuery(taskId), enabled: isMine })
  if (human === null) return <Closed taskId={taskId} />
  if (task.data && !dispute.isLoading) {
    return (
      <Together key={taskId} skeleton={<TaskSkeleton />}>
        <TaskView task={task.data} />
      </Together>
    )
  }
  if (!task.error) return <TaskSkeleton />
  return (
    <Page title={common.task}>
      {isStatus(task.error, ...absent) ? (
        <EmptyState icon={SearchX} title={messages.page.absent}>
          {messages.page.absentText}
        </EmptyState>
      ) : (
        <Loading query={task} items={3} className="h-40" />
      )}
    </Page>
  )
}

const TaskSkeleton = () => (
  <Page title={common.task}>
    <SkeletonList items={3} className="h-40" />
  </Page>
)

/** The public data of a task, with an explanation of how to get access to the rest. */
function Closed({ taskId }: { taskId: string }) {
  const board = useInfiniteQuery(publicBoardQuery).data?.items
  const task = board?.find(({ id }) => id === taskId)
  return (
    <SignInFirst
      page={task ? visible(task.title) : common.task}
      intro={task && messages.page.inEscrow(<TokenAmount wei={task.escrowAmount} />)}
      title={messages.page.signIn}
    >
      {messages.page.signInText}
    </SignInFirst>
  )
}
