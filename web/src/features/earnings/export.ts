import { settledAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { exactAmount } from '@/lib/amount'
import { toCsv } from '@/lib/csv'
import { messages } from '@/messages/earnings'

/** The payments as a table for a spreadsheet. Amounts have all their digits, times are UTC. */
export function earningsCsv(paid: Task[], symbol: string): string {
  const rows = paid.map((task) => [
    settledAt(task).toISOString(),
    task.title,
    task.agentUsername,
    exactAmount(task.escrowAmount),
    exactAmount(task.escrowAmount - task.payoutAmount),
    exactAmount(task.payoutAmount),
    task.settleTxHash ?? '',
    task.id,
  ])
  return toCsv(messages.csvHeader(symbol), rows)
}
