import { expect, test } from 'vitest'
import { ApiError } from '@/api/error'
import {
  causesOf,
  isRejection,
  isUnsent,
  PossiblySent,
  WalletMismatch,
  walletMessage,
} from './errors'

const wrap = (outer: Error, name: string, inner: unknown) => Object.assign(outer, { [name]: inner })

const coded = (code: number) => Object.assign(new Error('from the wallet'), { code })

test('a rejection is found inside wrapped errors', () => {
  const wrapped = new Error('outer', { cause: new Error('inner', { cause: coded(4001) }) })
  expect(isRejection(wrapped)).toBe(true)
  expect(isRejection(coded(-32603))).toBe(false)
  expect(isRejection('4001')).toBe(false)
})

test('an error that contains itself is read once', () => {
  const error = coded(-32603)
  wrap(error, 'cause', wrap(new Error('inner'), 'error', error))
  expect([...causesOf(error)]).toHaveLength(2)
})

test.each([
  [coded(4001), 'You cancelled'],
  [coded(-32002), 'pending request'],
  [coded(4100), 'does not allow this page'],
  [new Error('boom'), 'Something went wrong'],
  [new ApiError(401, { error: 'unauthorized', message: 'Sign in again.' }), 'Sign in again.'],
  [coded(4900), 'no connection to the network'],
  [
    new PossiblySent({ title: 'No coins.', hint: 'Add some.' }, coded(-32000)),
    'No coins. Add some.',
  ],
  [new WalletMismatch('wallet'), 'Nothing was signed. Unlock it'],
])('%s', (error, words) => {
  expect(walletMessage(error)).toContain(words)
})

test.each([
  [coded(4001), true],
  [coded(4200), true],
  [coded(5760), true],
  [new WalletMismatch('network'), true],
  // A general code of a library or a wallet around the wallet's own code.
  [wrap(coded(-32603), 'cause', coded(4001)), true],
  [wrap(coded(-32603), 'data', { originalError: { code: 4100 } }), true],
  [wrap(new Error('could not coalesce'), 'info', { error: { code: 4001 } }), true],
  [Object.assign(new Error('rejected'), { code: 'ACTION_REJECTED' }), true],
  [Object.assign(new Error('rejected'), { code: '4001' }), true],
  // The wallet's node lacks a method, perhaps after it has received the transaction.
  [wrap(coded(-32603), 'data', { originalError: { code: -32601 } }), false],
  [wrap(new Error('viem'), 'cause', coded(-32601)), true],
  [coded(-32603), false],
  [coded(-32000), false],
  [coded(-32003), false],
  [coded(4900), false],
  // Words prove nothing.
  [new Error('outer', { cause: new Error('insufficient funds for gas') }), false],
  [new Error('User rejected the request.'), false],
  [new Error('nonce too low'), false],
  [new PossiblySent({ title: 'No coins.' }, coded(-32000)), false],
  [new Error('the port closed before an answer came'), false],
])('only some errors prove that nothing was sent: %s', (error, isSo) => {
  expect(isUnsent(error)).toBe(isSo)
})
