import { expect, test } from 'vitest'
import { movementOf } from './movement'

test.each([
  ['payment_released', 5n],
  ['stake_returned', 5n],
  ['application_withdrawn', 5n],
  ['stake_locked', -5n],
  ['stake_forfeited', -5n],
  ['application_rejected', -5n],
  // The agent's money, or money that stays where it is.
  ['payment_refunded', undefined],
  ['task_cancelled', undefined],
  ['application_accepted', undefined],
] as const)('%s', (kind, movement) => {
  expect(movementOf({ kind, amount: 5n })).toBe(movement)
})

test('an event without an amount moves nothing', () => {
  expect(movementOf({ kind: 'stake_returned', amount: undefined })).toBeUndefined()
})
