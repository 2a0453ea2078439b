import type { Contracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import type { Turn } from '@/api/task-next'

/** When a task pays at the latest: at an instant, a while after the work, or it is over. */
export type LatestPayment =
  | { kind: 'at'; at: Date }
  | { kind: 'after'; seconds: number }
  | { kind: 'over'; at?: Date | undefined }

/**
 * When the human is paid although everybody else is silent. For work under review that is known
 * to the second; before, it hangs on when the work is handed in, which is until the deadline.
 */
export function latestPayment(
  task: Pick<Task, 'status' | 'settledAt'>,
  turns: Turn[],
  windows: Contracts['windows'],
): LatestPayment {
  const silence = windows.silent_settlement
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
      return paid ? { kind: 'at', at: paid.at } : { kind: 'after', seconds: silence }
    }
    default:
      return { kind: 'after', seconds: silence }
  }
}
