import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { messages } from '@/messages/chain'
import type { Block, Node } from './node'
import type { StoredTransaction } from './stored-transactions'
import { checkTransaction } from './transaction-check'

const wallet = '0xAbC0000000000000000000000000000000000001'
const escrow = '0xE5C0000000000000000000000000000000000002'
const nonce = 4
const block = 7

const sent: StoredTransaction = {
  wallet,
  chainId: 1,
  purpose: 'withdraw:7',
  intent: { does: 'Withdraws.', call: { contract: 'staking', name: 'withdrawStake', args: [7n] } },
  stage: 'sent',
  ask: 'transaction',
  target: { to: escrow, data: '0x01' },
  nonce,
  fromBlock: block - 1,
  hash: '0x0a',
  at: Date.now(),
}

/**
 * A node that receives the block with the transaction after it was asked for the receipt, so the
 * first receipt is missing.
 */
function nodeThatMines(mined: Partial<Block['transactions'][number]>): Node {
  let asked = false
  const answers: Record<string, (...params: never[]) => unknown> = {
    eth_getTransactionReceipt: () => {
      if (asked) return { status: '0x1', blockNumber: numberToHex(block), logs: [] }
      asked = true
      return null
    },
    eth_blockNumber: () => numberToHex(block),
    eth_getTransactionCount: (_: never, tag: never) =>
      numberToHex(tag === 'latest' || Number(tag) >= block ? nonce + 1 : nonce),
    eth_getBlockByNumber: () => ({
      number: numberToHex(block),
      timestamp: '0x1',
      transactions: [
        {
          hash: '0x0a',
          from: wallet,
          to: wallet,
          input: '0x',
          nonce: numberToHex(nonce),
          ...mined,
        },
      ],
    }),
    eth_getTransactionByHash: (hash: never) =>
      hash === '0x0a' ? { nonce: numberToHex(nonce) } : null,
  }
  const ask = async (method: string, ...params: unknown[]) =>
    answers[method]?.(...(params as never[]))
  return { ask, askWallet: async () => null } as unknown as Node
}

test('a transaction that is included while it is checked is judged by its receipt', async () => {
  const node = nodeThatMines({})
  const first = await checkTransaction(node, sent)
  expect(first).toBe(sent)
  expect(await checkTransaction(node, first)).toMatchObject({
    stage: 'failed',
    why: messages.noEffect,
  })
})

test('a transaction that is pending although the wallet returned an error is found', async () => {
  const pending = {
    hash: '0x0c',
    from: wallet,
    to: escrow,
    input: '0x01',
    nonce: numberToHex(nonce),
  }
  const nodeWith = (transactions: object[], counted: number) =>
    ({
      ask: async (method: string, _: unknown, tag?: unknown) => {
        if (method === 'eth_getTransactionCount')
          return numberToHex(tag === 'pending' ? counted : nonce)
        return method === 'eth_getBlockByNumber' ? { transactions } : null
      },
    }) as unknown as Node
  const { hash: _, ...asked } = { ...sent, stage: 'wallet' as const }
  expect(await checkTransaction(nodeWith([pending], nonce + 1), asked)).toMatchObject({
    stage: 'sent',
    hash: '0x0c',
  })
  expect(await checkTransaction(nodeWith([{ ...pending, input: '0x02' }], nonce + 1), asked)).toBe(
    asked,
  )
  expect(await checkTransaction(nodeWith([pending], nonce), asked)).toBe(asked)
})

test('a transaction with the same nonce and another hash has cancelled or replaced it', async () => {
  expect(await checkTransaction(nodeThatMines({ hash: '0x0b' }), sent)).toMatchObject({
    stage: 'failed',
    why: { title: messages.cancelled },
  })
  expect(await checkTransaction(nodeThatMines({ hash: '0x0b', to: escrow }), sent)).toMatchObject({
    stage: 'failed',
    why: messages.replaced,
  })
})
