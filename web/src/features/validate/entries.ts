import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'

/** A task in the list on the validator's page. */
export interface Entry {
  validation: Validation
  /** Whether the task has left the queue and is listed only because it is still expanded. */
  isOver: boolean
}

/** Returns the entries of the page. An expanded task that has left the queue keeps its position. */
export function entriesOf(queue: readonly Validation[], open: Validation | undefined): Entry[] {
  const entries = queue.map((validation) => ({ validation, isOver: false }))
  if (!open || queue.some(({ taskId }) => taskId === open.taskId)) return entries
  const place = queue.findIndex(({ closesAt }) => closesAt > open.closesAt)
  entries.splice(place < 0 ? queue.length : place, 0, { validation: open, isOver: true })
  return entries
}

/**
 * Returns the task to expand first. Of those without this validator's verdict, it is the one with
 * the earliest deadline whose round has opened, or the first one if no round has opened.
 */
export const firstToOpen = (queue: readonly Validation[], now: Date) =>
  queue.find(({ mine, opensAt }) => !mine && opensAt <= now) ?? queue.find(({ mine }) => !mine)

/** The numbers of approving and rejecting verdicts, and the quorum. */
export type Tally = Pick<Validation, 'approvals' | 'rejections' | 'quorum'>

/**
 * Returns the tally of a vote. While the task is in the queue, the queue's data is used, because it
 * is fetched more often.
 */
export const tallyOf = (task: Task, { validation, isOver }: Entry): Tally =>
  isOver
    ? {
        approvals: task.validatorApprovals,
        rejections: task.validatorRejections,
        quorum: task.validatorQuorum,
      }
    : validation

/** The stage that a vote has reached. */
export type Stage = 'open' | 'complete' | 'paid' | 'refunded' | 'closed'

/** Returns the stage that the vote on a task has reached. */
export function stageOf({ status }: Pick<Task, 'status'>, tally: Tally, isOver: boolean): Stage {
  if (status === 'approved') return 'paid'
  if (status === 'rejected') return 'refunded'
  const { approvals, rejections, quorum } = tally
  if (quorum > 0 && Math.max(approvals, rejections) >= quorum) return 'complete'
  return isOver ? 'closed' : 'open'
}
