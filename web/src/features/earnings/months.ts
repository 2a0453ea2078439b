import { settledAt } from '@/api/earnings'
import type { Task } from '@/api/task'

/** The earnings in one calendar month of the browser's time zone. */
export interface Month {
  /** The first day of the month. */
  start: Date
  /** The amount earned, in wei. */
  earned: bigint
  tasks: number
}

/** Returns the last `count` months, oldest first, including those without earnings. */
export function lastMonths(paid: Task[], now: Date, count: number): Month[] {
  const months = Array.from({ length: count }, (_, i): Month => {
    const start = new Date(now.getFullYear(), now.getMonth() - (count - 1 - i), 1)
    return { start, earned: 0n, tasks: 0 }
  })
  for (const task of paid) {
    const at = settledAt(task)
    // A payment's time may be slightly after `now`, because the chain's clock can be ahead.
    const month = months.findLast(({ start }) => start <= at)
    if (!month) continue
    month.earned += task.payoutAmount
    month.tasks += 1
  }
  return months
}
