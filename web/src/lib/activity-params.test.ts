import { expect, test } from 'vitest'
import { readActivityParams } from './activity-params'
import { readTime } from './last-seen'

test.each([
  [
    { type: 'payout', days: '7' },
    { type: 'payout', days: '7' },
  ],
  [
    { type: 'dm', days: 30 },
    { type: 'dm', days: '30' },
  ],
  [{ type: 'claim', days: '8' }, {}],
  [{ type: ['task'], page: '3' }, {}],
])('%j is read as %j', (raw, params) => {
  expect(readActivityParams(raw)).toEqual(params)
})

test.each([null, '', 'yesterday', 'NaN'])('%j is not a time', (stored) => {
  expect(readTime(stored)).toBeUndefined()
})

test('a stored time is parsed', () => {
  expect(readTime('2026-11-21T12:00:00.000Z')).toEqual(new Date('2026-11-21T12:00:00Z'))
})
