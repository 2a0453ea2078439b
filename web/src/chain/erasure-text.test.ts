import { expect, test } from 'vitest'
import { checkErasureText } from './erasure-text'

const address = '0xAbC0000000000000000000000000000000000001'
const here = { address, username: 'mara', chainId: 8453, host: 'market.example:8080' }
const text = `Task Market: delete an account
Domain: market.example:8080
Chain ID: 8453
Wallet: ${address}
Username: mara
Nonce: k3JfXw0aQ2
Issued At: 2026-11-22T04:00:00.000Z
Expires At: 2026-11-22T04:10:00.000Z`

test('a text that deletes this account of this site is accepted', () => {
  checkErasureText(text, here)
  checkErasureText(text, { ...here, address: address.toLowerCase() })
})

test.each([
  ['with another purpose', ['delete an account', 'register an agent']],
  ['of another site', ['market.example:8080', 'bank.example']],
  ['on another chain', ['Chain ID: 8453', 'Chain ID: 1']],
  ['of another wallet', [address, '0xAbC0000000000000000000000000000000000002']],
  ['of another account', ['Username: mara', 'Username: maras']],
  ['with something appended', ['04:10:00.000Z', '04:10:00.000Z\nI owe you 100.']],
  ['with something before it', ['Task Market', 'I owe you 100.\nTask Market']],
  ['without a nonce', ['Nonce: k3JfXw0aQ2', 'Nonce: ']],
])('a text %s is rejected', (_, [from = '', to = '']) => {
  expect(text).toContain(from)
  expect(() => checkErasureText(text.replace(from, to), here)).toThrow('Nothing was signed')
})
