import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { publicBoardQuery } from '@/api/board'
import { useContracts } from '@/api/contracts'
import { ApiError } from '@/api/error'
import { useSession } from '@/api/session'
import { taskQuery } from '@/api/task'
import { ErrorBanner } from '@/components/error-banner'
import { SignInFirst } from '@/components/sign-in-first'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { Amount } from '@/ui/amount'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { TaskView } from './task-view'

/** One task. The server decides which users may read it. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId' })
  const human = useSession()
  const task = useQuery({ ...taskQuery(taskId), enabled: Boolean(human) })
  if (human === null) return <Closed taskId={taskId} />
  if (task.data) return <TaskView task={task.data} />
  return (
    <Page title={common.task}>
      {task.isError ? (
        <Failure error={task.error} retry={() => void task.refetch()} />
      ) : (
        <SkeletonList items={3} className="h-40" />
      )}
    </Page>
  )
}

/** The public part of a task, and how to read the rest. */
function Closed({ taskId }: { taskId: string }) {
  const board = useInfiniteQuery(publicBoardQuery).data?.pages.flatMap(({ tasks }) => tasks)
  const task = board?.find(({ id }) => id === taskId)
  const symbol = useContracts()?.token.symbol
  return (
    <SignInFirst
      page={task ? visible(task.title) : common.task}
      intro={
        task && symbol && messages.page.inEscrow(<Amount wei={task.escrowAmount} symbol={symbol} />)
      }
      title={messages.page.signIn}
    >
      {messages.page.signInText}
    </SignInFirst>
  )
}

// What an address names that is none, that is not there, or that is not for this reader.
const absent = [400, 403, 404]

function Failure({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof ApiError) || !absent.includes(error.status))
    return <ErrorBanner error={error} retry={retry} />
  return (
    <EmptyState icon={SearchX} title={messages.page.absent}>
      {messages.page.absentText}
    </EmptyState>
  )
}
