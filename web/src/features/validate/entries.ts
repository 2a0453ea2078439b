import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'

/** A task on the validator's page. */
export interface Entry {
  validation: Validation
  /** The task has left the queue and is listed only because it was expanded. */
  isOver: boolean
}

/** The entries of the page. An expanded task that has left the queue stays in its place. */
export function entriesOf(queue: readonly Validation[], open: Validation | undefined): Entry[] {
  const entries = queue.map((validation) => ({ validation, isOver: false }))
  if (!open || queue.some(({ taskId }) => taskId === open.taskId)) return entries
  const place = queue.findIndex(({ closesAt }) => closesAt > open.closesAt)
  entries.splice(place < 0 ? queue.length : place, 0, { validation: open, isOver: true })
  return entries
}

/** The task to expand first: the one with the earliest deadline that lacks the reader's verdict. */
export const firstToOpen = (queue: readonly Validation[], now: Date) =>
  queue.find(({ mine, opensAt }) => !mine && opensAt <= now) ?? queue.find(({ mine }) => !mine)

/** The number of verdicts, and the quorum. */
export type Tally = Pick<Validation, 'approvals' | 'rejections' | 'quorum'>

/** The tally of a vote: from the queue, which is read more often, while the task is in it. */
export const tallyOf = (task: Task, { validation, isOver }: Entry): Tally =>
  isOver
    ? {
        approvals: task.validatorApprovals,
        rejections: task.validatorRejections,
        quorum: task.validatorQuorum,
      }
    : validation

/** The stage of a vote. */
export type Stage = 'open' | 'complete' | 'paid' | 'refunded' | 'closed'

/** The stage of the vote on a task. */
export function stageOf({ status }: Pick<Task, 'status'>, tally: Tally, isOver: boolean): Stage {
  if (status === 'approved') return 'paid'
  if (status === 'rejected') return 'refunded'
  const { approvals, rejections, quorum } = tally
  if (quorum > 0 && Math.max(approvals, rejections) >= quorum) return 'complete'
  return isOver ? 'closed' : 'open'
}
