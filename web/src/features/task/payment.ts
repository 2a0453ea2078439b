import type { Contracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import type { Turn } from '@/api/task-next'
import { messages } from '@/messages/task'

/**
 * How certain a task's payment is.
 *
 * - `open`: nothing is submitted; `seconds` after the submission time alone pays
 * - `undecided`: validators can still reject the work; without their decision it is paid at `at`
 * - `sure`: the agent approved it, so validators cannot reject it; paid at `at` at the latest
 * - `over`: the task has ended; `at` when it was paid
 */
export type Payment =
  | { kind: 'open'; seconds: number }
  | { kind: 'undecided'; at: Date }
  | { kind: 'sure'; at: Date }
  | { kind: 'over'; at?: Date | undefined }

type State = Pick<Task, 'status' | 'settledAt' | 'agentApprovedAt'>

/** Returns how certain the payment is. `turns` are what time alone does to the task. */
export function paymentOf(
  task: Partial<State> & Pick<Task, 'status'>,
  turns: Turn[],
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
      const paid = turns.find((turn) => turn.payout > 0n)
      if (paid) return { kind: task.agentApprovedAt ? 'sure' : 'undecided', at: paid.at }
      break
    }
  }
  return { kind: 'open', seconds: windows.silent_settlement }
}

/** What the payout is to the reader; `mine` if the task is assigned to the reader. */
export function payoutIs(task: Partial<State> & Pick<Task, 'status'>, mine: boolean): string {
  switch (task.status) {
    case 'approved':
      return mine ? messages.payout.paidToYou : messages.payout.paid
    case 'rejected':
    case 'cancelled':
      return messages.payout.none
    case 'funded':
      return messages.payout.youMayReceive
    default:
      if (task.agentApprovedAt)
        return mine ? messages.payout.youReceive : messages.payout.humanReceives
      return mine ? messages.payout.youMayReceive : messages.payout.humanMayReceive
  }
}
