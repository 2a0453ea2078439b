import { expect, test } from 'vitest'
import { ApiError } from '@/api/error'
import { isRejection, walletSentence } from './errors'

const coded = (code: number) => Object.assign(new Error('from the wallet'), { code })

test('a rejection is found below what libraries wrap around it', () => {
  const wrapped = new Error('outer', { cause: new Error('inner', { cause: coded(4001) }) })
  expect(isRejection(wrapped)).toBe(true)
  expect(isRejection(coded(-32603))).toBe(false)
  expect(isRejection('4001')).toBe(false)
})

test.each([
  [coded(4001), 'You said no'],
  [coded(-32002), 'already waits'],
  [coded(4100), 'does not let this page'],
  [new Error('boom'), 'did not answer as expected'],
  [new ApiError(401, { error: 'unauthorized', message: 'Sign in again.' }), 'Sign in again.'],
])('%s', (error, words) => {
  expect(walletSentence(error)).toContain(words)
})
