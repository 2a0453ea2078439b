import { expect, test } from 'vitest'
import { exactAmount, parseAmount, payoutOf, shortAmount } from './amount'

const token = 10n ** 18n

test.each([
  [0n, '0', '0'],
  [1n, '0.000000000000000001', '0.000000000000000001'],
  [token, '1', '1'],
  [(95n * token) / 10n, '9.5', '9.5'],
  [1234567n * token, '1234567', '1\u202f234\u202f567'],
  [12345678901234567890n, '12.34567890123456789', '12.3456'],
  [1234567890123456n, '0.001234567890123456', '0.001234'],
  [token - 1n, '0.999999999999999999', '0.9999'],
  [100n * token + 1n, '100.000000000000000001', '100'],
  [-token / 2n, '-0.5', '\u22120.5'],
  [-1234n * token, '-1234', '\u22121\u202f234'],
])('%d wei', (wei, exact, short) => {
  expect(exactAmount(wei)).toBe(exact)
  expect(shortAmount(wei)).toBe(short)
})

test.each([
  ['9.5', (95n * token) / 10n],
  [' 10 ', 10n * token],
  ['0.000000000000000001', 1n],
  ['25,5', (255n * token) / 10n],
  ['1,00', token],
  ['0,125', token / 8n],
  ['1.000,5', (10_005n * token) / 10n],
  ['1,000.5', (10_005n * token) / 10n],
  ['1 000,5', (10_005n * token) / 10n],
  ['1\u202f000', 1000n * token],
  ['1,000,000', 1_000_000n * token],
  ['1.000.000,25', (100_000_025n * token) / 100n],
  ['1234,567', (1_234_567n * token) / 1000n],
])('"%s" is an amount', (text, wei) => {
  expect(parseAmount(text)).toBe(wei)
})

test.each([
  '',
  '.5',
  '1.',
  '-1',
  '1e3',
  '1.0000000000000000001',
  'ten',
  '0x1',
  '1,0,0',
  '1,000,00',
  '1.5,5',
  ',5',
  '5,',
  '1.00.000',
  // In some languages these are 25.5 and 1, in others 25500 and 1000.
  '25,500',
  '1,000',
])('"%s" is not an amount', (text) => {
  expect(parseAmount(text)).toBeUndefined()
})

test('the fee is rounded down, as the contract does', () => {
  expect(payoutOf(19n, 500)).toBe(19n)
  expect(payoutOf(21n, 500)).toBe(20n)
  expect(payoutOf(10n * token, 500)).toBe((95n * token) / 10n)
})
