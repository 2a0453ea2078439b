import { useInfiniteQuery } from '@tanstack/react-query'
import { taskMessagesQuery, useTaskMessage } from '@/api/message'
import type { Task } from '@/api/task'
import { Thread } from '@/components/thread'
import { excerpt } from '@/lib/user-text'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'

/** The messages between the accepted human and the agent. */
export function TaskMessages({ task }: { task: Task }) {
  const thread = useInfiniteQuery(taskMessagesQuery(task.id))
  const sending = useTaskMessage(task.id)
  return (
    <Card
      heading={messages.messagesWithAgent}
      headingClass="mb-4 text-xl font-semibold"
      className="flex flex-col p-5 sm:p-6"
    >
      <Thread query={thread} sending={sending} other={excerpt(task.agentName, 60)} />
    </Card>
  )
}
