import { expect, test } from 'vitest'
import type { Contracts } from '@/api/contracts'
import { paymentOf, payoutIs } from './payment'

const windows = { silent_settlement: 3_196_800 } as Contracts['windows']
const at = new Date('2026-12-24T00:00:00Z')
const turns = [
  { at: new Date('2026-11-24T00:00:00Z'), status: 'validating' as const, payout: 0n },
  { at, status: 'approved' as const, payout: 95n },
]

test.each(['submitted', 'validating', 'disputed'] as const)(
  'the payment is undecided while validators can reject the work (%s)',
  (status) => {
    expect(paymentOf({ status }, turns, windows)).toEqual({ kind: 'undecided', at })
    expect(payoutIs({ status }, true)).toBe('You may receive')
    expect(payoutIs({ status }, false)).toBe('The human may receive')
  },
)

test('the payment for approved work is certain', () => {
  const task = { status: 'disputed' as const, agentApprovedAt: at }
  expect(paymentOf(task, turns, windows)).toEqual({ kind: 'sure', at })
  expect(payoutIs(task, true)).toBe('You receive')
  expect(payoutIs(task, false)).toBe('The human receives')
})

test('before a submission the payment time is relative to it', () => {
  const open = { kind: 'open', seconds: 3_196_800 }
  expect(paymentOf({ status: 'funded' }, turns, windows)).toEqual(open)
  expect(paymentOf({ status: 'active' }, [], windows)).toEqual(open)
  expect(payoutIs({ status: 'funded' }, false)).toBe('You may receive')
  expect(payoutIs({ status: 'active' }, true)).toBe('You may receive')
  expect(payoutIs({ status: 'active' }, false)).toBe('The human may receive')
})

test('the payment of an ended task is over', () => {
  expect(paymentOf({ status: 'approved', settledAt: at }, [], windows)).toEqual({
    kind: 'over',
    at,
  })
  expect(paymentOf({ status: 'cancelled' }, turns, windows)).toEqual({ kind: 'over' })
  expect(payoutIs({ status: 'rejected' }, true)).toBe('Not paid')
  expect(payoutIs({ status: 'approved' }, true)).toBe('Paid to you')
})
