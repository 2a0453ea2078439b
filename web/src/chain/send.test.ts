import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { messages } from '@/messages/chain'
import { isUnsent, walletFault } from './errors'
import type { Node } from './node'
import { refusalOf } from './node'
import type { Review } from './review'
import { send } from './send'

const account = '0xAbC0000000000000000000000000000000000001'
const target = { to: '0xE5C0000000000000000000000000000000000002', data: '0x01' } as const
const coded = (code: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more })

interface World {
  /** The wallet's error. */
  error: unknown
  balance?: bigint
  code?: string
  /** The error of the simulation on our node. */
  revert?: unknown
}

/** Sends a call with a wallet that returns an error, and returns the error that the page receives. */
async function errorOf({ error, balance = 10n ** 18n, code = '0x', revert }: World) {
  const answers: Record<string, unknown> = {
    eth_getTransactionCount: '0x4',
    eth_blockNumber: '0x7',
    eth_getCode: code,
    eth_getBalance: numberToHex(balance),
    eth_gasPrice: numberToHex(10n ** 9n),
    eth_estimateGas: numberToHex(100_000),
  }
  let calls = 0
  const node = {
    chainId: 1,
    ask: async (method: string) => answers[method],
    askPerson: async () => Promise.reject(error),
    attempt: async () => {
      calls += 1
      const refusal = revert && calls > 1 ? refusalOf(revert) : undefined
      if (refusal) throw refusal
    },
  } as unknown as Node
  const review = { way: 'call', account, target } as unknown as Review
  return send(node, review, () => undefined).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
}

test.each(['insufficient funds for gas * price + value', 'fonds insuffisants', 'AlreadyKnown'])(
  'the balance on the chain decides whether coins are missing, not the words: %s',
  async (words) => {
    const rich = await errorOf({ error: coded(-32000, words) })
    expect(walletFault(rich).title).toBe(messages.badWallet)
    expect(isUnsent(rich)).toBe(false)
    const poor = await errorOf({ error: coded(-32000, words), balance: 0n })
    expect(walletFault(poor)).toEqual({ title: messages.noGas, hint: messages.sendGas })
    // The wallet may have paid the fee in another way, so the transaction is still followed.
    expect(isUnsent(poor)).toBe(false)
  },
)

test('a contract wallet needs no coins of its own', async () => {
  const error = await errorOf({ error: coded(-32603, 'no'), balance: 0n, code: '0xef0100' })
  expect(walletFault(error).title).toBe(messages.badWallet)
})

test('the revert data explains a failure, from the wallet or from a simulation', async () => {
  const data = '0x00000000'
  const nested = { originalError: { code: 3, message: 'x', data } }
  for (const world of [
    { error: coded(-32603, 'Internal JSON-RPC error.', { data: nested }) },
    { error: coded(-32603, 'x'), revert: coded(3, 'x', { data }) },
  ]) {
    const error = await errorOf(world)
    expect(walletFault(error).title).toMatch(/^The contract rejected this/)
    expect(isUnsent(error)).toBe(false)
  }
})

test('a rejection by the user is passed on without a question to the chain', async () => {
  const error = coded(4001, 'insufficient funds')
  expect(await errorOf({ error, balance: 0n })).toBe(error)
})
