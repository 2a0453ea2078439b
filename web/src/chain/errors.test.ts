import { expect, test } from 'vitest'
import { ApiError } from '@/api/error'
import { isRejection, isUnsent, WalletMismatch, walletMessage } from './errors'

const coded = (code: number) => Object.assign(new Error('from the wallet'), { code })

test('a rejection is found inside wrapped errors', () => {
  const wrapped = new Error('outer', { cause: new Error('inner', { cause: coded(4001) }) })
  expect(isRejection(wrapped)).toBe(true)
  expect(isRejection(coded(-32603))).toBe(false)
  expect(isRejection('4001')).toBe(false)
})

test.each([
  [coded(4001), 'You cancelled'],
  [coded(-32002), 'pending request'],
  [coded(4100), 'does not allow this page'],
  [new Error('boom'), 'Something went wrong'],
  [new ApiError(401, { error: 'unauthorized', message: 'Sign in again.' }), 'Sign in again.'],
  [new Error('insufficient funds for gas'), 'for the fee. Add some to your wallet'],
  [new WalletMismatch('wallet'), 'Nothing was signed. Unlock it'],
])('%s', (error, words) => {
  expect(walletMessage(error)).toContain(words)
})

test.each([
  [coded(4001), true],
  [coded(4200), true],
  [coded(5760), true],
  [new WalletMismatch('network'), true],
  [new Error('outer', { cause: new Error('insufficient funds for gas') }), true],
  [coded(-32603), false],
  [new Error('the port closed before an answer came'), false],
])('only some errors prove that nothing was sent: %s', (error, isSo) => {
  expect(isUnsent(error)).toBe(isSo)
})
