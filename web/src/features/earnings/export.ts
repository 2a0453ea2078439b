import { settledAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { exactAmount } from '@/lib/amount'
import { toCsv } from '@/lib/csv'
import { messages } from '@/messages/earnings'

/** Returns the payments as a CSV table for spreadsheets. Amounts are exact, times are in UTC. */
export function earningsCsv(paid: Task[], symbol: string): string {
  const rows = paid.map((task) => [
    settledAt(task).toISOString(),
    task.title,
    task.agentName || task.agentUsername,
    exactAmount(task.escrowAmount),
    exactAmount(task.escrowAmount - task.payoutAmount),
    exactAmount(task.payoutAmount),
    task.settleTxHash ?? '',
    task.id,
  ])
  return toCsv(messages.csvHeader(symbol), rows)
}
