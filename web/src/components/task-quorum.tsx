import type { Task } from '@/api/task'
import { Quorum } from '@/ui/quorum'

/** The verdicts on a task's work so far. */
export function TaskQuorum({ task }: { task: Task }) {
  return (
    <Quorum
      approvals={task.validatorApprovals}
      rejections={task.validatorRejections}
      quorum={task.validatorQuorum}
    />
  )
}
