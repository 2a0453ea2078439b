import type { Task } from '@/api/task'
import { TaskQuorum } from '@/components/task-quorum'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'

/** Shows the progress of the validators' review of undisputed work. */
export function ReviewCard({ task, mine }: { task: Task; mine: boolean }) {
  return (
    <Card
      heading={messages.vote.title}
      headingClass="mb-4 text-xl font-semibold"
      className="p-6 sm:p-7"
    >
      <TaskQuorum task={task} />
      <p className="mt-4 text-[0.9375rem] text-ink-soft">
        {messages.vote.quorum(task.validatorQuorum)}{' '}
        {task.agentApprovedAt ? messages.vote.approved : messages.vote.risk(mine)}
      </p>
    </Card>
  )
}
