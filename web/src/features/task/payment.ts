import type { Contracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import type { TimedChange } from '@/api/task-next'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'

/**
 * How certain a task's payment is.
 *
 * - `open`: nothing is submitted; after the submission, a payment by timeout takes `seconds`
 * - `undecided`: validators can still reject the work; if they do not, it is paid at `at`
 * - `sure`: the agent approved the work, so validators cannot reject it; paid at `at` at the latest
 * - `over`: the task has ended; `at` is when it was paid
 */
export type Payment =
  | { kind: 'open'; seconds: number }
  | { kind: 'undecided'; at: Date }
  | { kind: 'sure'; at: Date }
  | { kind: 'over'; at?: Date | undefined }

type State = Pick<Task, 'status' | 'settledAt' | 'agentApprovedAt'>

/**
 * Returns how certain the payment is. `changes` are the status changes that happen by passage of
 * time.
 */
export function paymentOf(
  task: Partial<State> & Pick<Task, 'status'>,
  changes: TimedChange[],
  windows: Contracts['windows'],
): Payment {
  switch (task.status) {
    case 'approved':
      return { kind: 'over', at: task.settledAt }
    case 'rejected':
    case 'cancelled':
      return { kind: 'over' }
    case 'submitted':
    case 'validating':
    case 'disputed': {
      const paid = changes.find(({ payout }) => payout > 0n)
      if (paid) return { kind: task.agentApprovedAt ? 'sure' : 'undecided', at: paid.at }
      break
    }
  }
  return { kind: 'open', seconds: windows.silent_settlement }
}

/** Describes the payout. `mine`: the task is assigned to the signed-in human. */
export function payoutIs(task: Partial<State> & Pick<Task, 'status'>, mine: boolean): string {
  switch (task.status) {
    case 'approved':
      return messages.payout.paid(mine)
    case 'rejected':
    case 'cancelled':
      return messages.payout.none
    case 'funded':
      return common.youMayReceive
    default:
      return task.agentApprovedAt ? messages.payout.certain(mine) : messages.payout.possible(mine)
  }
}
