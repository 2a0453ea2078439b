import type { Task } from '@/api/task'
import { Card } from '@/ui/card'
import { Quorum } from '@/ui/quorum'

/** How far the validators are who look at work that nobody disputes. */
export function ReviewCard({ task }: { task: Task }) {
  return (
    <Card aria-labelledby="review" className="p-6 sm:p-7">
      <h2 id="review" className="mb-4 text-xl font-semibold">
        Validators look at the work
      </h2>
      <Quorum
        approvals={task.validatorApprovals}
        rejections={task.validatorRejections}
        quorum={task.validatorQuorum}
      />
      <p className="mt-4 text-[0.9375rem] text-ink-soft">
        {task.validatorQuorum} equal verdicts decide.
        {task.agentApprovedAt
          ? ' The agent has approved the work, so it can only be paid.'
          : ' If they reject the work, it is not paid and the human loses the stake.'}
      </p>
    </Card>
  )
}
