import { settledAt } from '@/api/earnings'
import type { Task } from '@/api/task'

/** The earnings in one month of the reader's calendar. */
export interface Month {
  /** Its first day. */
  start: Date
  /** The amount in wei. */
  earned: bigint
  tasks: number
}

/** The last months, the oldest first, including those without earnings. */
export function lastMonths(paid: Task[], now: Date, count: number): Month[] {
  const months = Array.from({ length: count }, (_, i): Month => {
    const start = new Date(now.getFullYear(), now.getMonth() - (count - 1 - i), 1)
    return { start, earned: 0n, tasks: 0 }
  })
  for (const task of paid) {
    const at = settledAt(task)
    // The chain's clock may be slightly ahead of the reader's.
    const month = months.findLast(({ start }) => start <= at)
    if (!month) continue
    month.earned += task.payoutAmount
    month.tasks += 1
  }
  return months
}
