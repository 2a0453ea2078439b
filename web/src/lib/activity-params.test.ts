import { expect, test } from 'vitest'
import { readActivityParams } from './activity-params'

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
