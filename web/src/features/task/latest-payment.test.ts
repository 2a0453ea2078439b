import { expect, test } from 'vitest'
import type { Contracts } from '@/api/contracts'
import { latestPayment } from './latest-payment'

const windows = { silent_settlement: 3_196_800 } as Contracts['windows']
const at = new Date('2026-12-24T00:00:00Z')
const turns = [
  { at: new Date('2026-11-24T00:00:00Z'), status: 'validating' as const, payout: 0n },
  { at, status: 'approved' as const, payout: 95n },
]

test('work under review is paid when time alone pays it', () => {
  expect(latestPayment({ status: 'submitted' }, turns, windows)).toEqual({ kind: 'at', at })
})

test('before, it is counted from the hand-in', () => {
  expect(latestPayment({ status: 'funded' }, turns, windows)).toEqual({
    kind: 'after',
    seconds: 3_196_800,
  })
  expect(latestPayment({ status: 'submitted' }, [], windows)).toEqual({
    kind: 'after',
    seconds: 3_196_800,
  })
})

test('what is over pays no more', () => {
  expect(latestPayment({ status: 'approved', settledAt: at }, [], windows)).toEqual({
    kind: 'over',
    at,
  })
  expect(latestPayment({ status: 'cancelled' }, turns, windows)).toEqual({ kind: 'over' })
})
