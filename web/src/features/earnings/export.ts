import { paidAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { exactAmount } from '@/lib/amount'
import { toCsv } from '@/lib/csv'

/** The payments as a table for a spreadsheet. Amounts have all their digits, times are UTC. */
export function earningsCsv(paid: Task[], symbol: string): string {
  const header = [
    'Paid at',
    'Task',
    'Agent',
    `In escrow (${symbol})`,
    `Fee (${symbol})`,
    `Received (${symbol})`,
    'Transaction',
    'Task id',
  ]
  const rows = paid.map((task) => [
    paidAt(task).toISOString(),
    task.title,
    task.agentUsername,
    exactAmount(task.escrowAmount),
    exactAmount(task.escrowAmount - task.payoutAmount),
    exactAmount(task.payoutAmount),
    task.settleTxHash ?? '',
    task.id,
  ])
  return toCsv(header, rows)
}
