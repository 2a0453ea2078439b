import { expect, test } from 'vitest'
import { isOldResult } from './transaction-panel'

test.each([
  ['sent', 'included', false],
  ['sent', 'final', false],
  ['wallet', 'final', false],
  ['included', 'final', true],
  ['idle', 'included', true],
  ['idle', 'final', true],
  ['idle', 'sent', false],
  ['idle', 'failed', false],
])('from %s to %s, the result is old: %s', (last, name, isOld) => {
  expect(isOldResult(name, last)).toBe(isOld)
})
