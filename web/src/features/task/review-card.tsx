import type { Task } from '@/api/task'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'
import { Quorum } from '@/ui/quorum'

/** The progress of the validators on undisputed work. */
export function ReviewCard({ task }: { task: Task }) {
  return (
    <Card aria-labelledby="review" className="p-6 sm:p-7">
      <h2 id="review" className="mb-4 text-xl font-semibold">
        {messages.vote.title}
      </h2>
      <Quorum
        approvals={task.validatorApprovals}
        rejections={task.validatorRejections}
        quorum={task.validatorQuorum}
      />
      <p className="mt-4 text-[0.9375rem] text-ink-soft">
        {messages.vote.quorum(task.validatorQuorum)}{' '}
        {task.agentApprovedAt ? messages.vote.approved : messages.vote.risk}
      </p>
    </Card>
  )
}
