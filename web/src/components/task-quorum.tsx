import type { Task } from '@/api/task'
import { Quorum } from '@/ui/quorum'

/** Shows how many verdicts have been given on a task's work. */
export function TaskQuorum({ task }: { task: Task }) {
  return (
    <Quorum
      approvals={task.validatorApprovals}
      rejections={task.validatorRejections}
      quorum={task.validatorQuorum}
    />
  )
}
