import { expect, test } from 'vitest'
import {
  deleteTransaction,
  keyOf,
  type StoredTransaction,
  storedTransactions,
  storeTransaction,
} from './stored-transactions'

const kept: StoredTransaction = {
  wallet: '0xAbC0000000000000000000000000000000000001',
  chainId: 1,
  purpose: 'apply:7',
  intent: {
    does: 'Locks your stake.',
    call: { contract: 'staking', name: 'lockApplicationStake', args: [7n, 5n * 10n ** 17n] },
    spends: 5n * 10n ** 17n,
  },
  stage: 'sent',
  ask: 'transaction',
  at: Date.now(),
}

test('a stored transaction is restored exactly', () => {
  storeTransaction(kept)
  expect(storedTransactions.get()).toEqual([kept])
  deleteTransaction(keyOf({ ...kept, wallet: kept.wallet.toLowerCase() }))
  expect(storedTransactions.get()).toEqual([])
})

test('a purpose has one transaction, and ended ones are deleted after a day', () => {
  storeTransaction({ ...kept, purpose: 'old', stage: 'final', at: 0 })
  storeTransaction({ ...kept, purpose: 'old, but not over', at: 0 })
  storeTransaction(kept)
  storeTransaction({ ...kept, stage: 'included' })
  expect(storedTransactions.get().map(({ purpose, stage }) => [purpose, stage])).toEqual([
    ['old, but not over', 'sent'],
    ['apply:7', 'included'],
  ])
})
