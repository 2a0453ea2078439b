import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'

/** A task on the validator's page. */
export interface Entry {
  validation: Validation
  /** Whether it waits for no verdict any more: it is shown because it was open when that came. */
  isOver: boolean
}

/** The queue, plus the open task in its place if it has left the queue. */
export function entriesOf(queue: readonly Validation[], open: Validation | undefined): Entry[] {
  const entries = queue.map((validation) => ({ validation, isOver: false }))
  if (!open || queue.some(({ taskId }) => taskId === open.taskId)) return entries
  const place = queue.findIndex(({ closesAt }) => closesAt > open.closesAt)
  entries.splice(place < 0 ? queue.length : place, 0, { validation: open, isOver: true })
  return entries
}

/** The task to open first: the one with the nearest end that lacks the reader's verdict. */
export const firstToOpen = (queue: readonly Validation[], now: Date) =>
  queue.find(({ mine, opensAt }) => !mine && opensAt <= now) ?? queue.find(({ mine }) => !mine)

/** How many verdicts there are, and how many equal ones decide. */
export type Tally = Pick<Validation, 'approvals' | 'rejections' | 'quorum'>

/** The count of a vote: the queue's is the newer one, while it has the task. */
export const tallyOf = (task: Task, { validation, isOver }: Entry): Tally =>
  isOver
    ? {
        approvals: task.validatorApprovals,
        rejections: task.validatorRejections,
        quorum: task.validatorQuorum,
      }
    : validation

/** How far a vote is. */
export type Stage = 'open' | 'complete' | 'paid' | 'refunded' | 'closed'

/** How far the vote on a task is. */
export function stageOf({ status }: Pick<Task, 'status'>, tally: Tally, isOver: boolean): Stage {
  if (status === 'approved') return 'paid'
  if (status === 'rejected') return 'refunded'
  const { approvals, rejections, quorum } = tally
  if (quorum > 0 && Math.max(approvals, rejections) >= quorum) return 'complete'
  return isOver ? 'closed' : 'open'
}
