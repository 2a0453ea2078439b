import { expect, test } from 'vitest'
import type { Task } from '@/api/task'
import { lastMonths } from './months'

const now = new Date(2026, 10, 21, 12)
const paid = (settledAt: Date, payoutAmount: bigint) => ({ settledAt, payoutAmount }) as Task

test('payments are counted in their month', () => {
  const months = lastMonths(
    [
      paid(new Date(2026, 10, 1), 5n),
      paid(new Date(2026, 9, 31, 23, 59), 7n),
      paid(new Date(2026, 9, 1), 1n),
      paid(new Date(2026, 7, 31), 100n),
    ],
    now,
    3,
  )
  expect(months.map(({ earned, tasks }) => [earned, tasks])).toEqual([
    [0n, 0],
    [8n, 2],
    [5n, 1],
  ])
})

test('the month before January is in the previous year', () => {
  const months = lastMonths([], new Date(2026, 0, 5), 2)
  expect(months[0]?.start).toEqual(new Date(2025, 11, 1))
})

test('a payment dated in the future counts for the current month', () => {
  expect(lastMonths([paid(new Date(2026, 11, 3), 2n)], now, 1)[0]?.earned).toBe(2n)
})
