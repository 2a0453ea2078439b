import { paidAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { exactAmount } from '@/lib/amount'
import { toCsv } from '@/lib/csv'
import { messages } from '@/messages/earnings'

/** The payments as a table for a spreadsheet. Amounts have all their digits, times are UTC. */
export function earningsCsv(paid: Task[], symbol: string): string {
  const header = [
    messages.csv.paidAt,
    messages.csv.task,
    messages.csv.agent,
    messages.csv.escrow(symbol),
    messages.csv.fee(symbol),
    messages.csv.received(symbol),
    messages.csv.transaction,
    messages.csv.taskId,
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
