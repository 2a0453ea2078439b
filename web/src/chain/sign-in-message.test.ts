import { expect, test } from 'vitest'
import { checkSignInMessage } from './sign-in-message'

const address = '0xAbC0000000000000000000000000000000000001'
const here = {
  address,
  chainId: 8453,
  host: 'market.example:8080',
  origin: 'https://market.example:8080',
}
const message = `market.example:8080 wants you to sign in with your Ethereum account:
${address}

Sign in to Task Market.

URI: https://market.example:8080
Version: 1
Chain ID: 8453
Nonce: k3JfXw0aQ2
Issued At: 2026-11-22T04:00:00.000Z
Expiration Time: 2026-11-22T04:05:00.000Z`

test('a message for this account and site is accepted', () => {
  checkSignInMessage(message, here)
  checkSignInMessage(message, { ...here, address: address.toLowerCase() })
})

test.each([
  ['at another site', ['market.example:8080 wants', 'bank.example wants']],
  [
    'at a site whose name only starts with ours',
    ['market.example:8080 wants', 'market.example:8080.bank.example wants'],
  ],
  ['of another account', [address, '0xAbC0000000000000000000000000000000000002']],
  ['for another address', ['URI: https://market.example:8080', 'URI: https://bank.example']],
  ['on another chain', ['Chain ID: 8453', 'Chain ID: 1']],
  ['with another statement', ['Sign in to Task Market.', 'I give all I have to the bearer.']],
  [
    'with something appended',
    ['04:05:00.000Z', '04:05:00.000Z\nResources:\n- https://bank.example'],
  ],
  ['with something before it', ['market', 'bank.example wants more\nmarket']],
  ['without a nonce', ['Nonce: k3JfXw0aQ2', 'Nonce: ']],
])('a sign-in message %s is rejected', (_, [from = '', to = '']) => {
  expect(message).toContain(from)
  expect(() => checkSignInMessage(message.replace(from, to), here)).toThrow('Nothing was signed')
})
