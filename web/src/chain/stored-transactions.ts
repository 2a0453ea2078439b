import { storedList } from '@/lib/stored-value'
import type { Fault } from './errors'
import type { Intent } from './intent'

/** The type of a wallet request: a signature, a transaction, or a batch of calls. */
export type Ask = 'permit' | 'approval' | 'transaction' | 'batch'

/** A transaction of the user, stored until the user has seen its result. */
export interface StoredTransaction {
  wallet: string
  chainId: number
  /**
   * The purpose of the transaction, such as `apply:<task>`. A wallet has at most one per purpose.
   */
  purpose: string
  intent: Intent
  /**
   * - `wallet`: the wallet has received the request and has not responded
   * - `sent`: it is pending; `ready`: the approval is included, and the call itself comes next
   * - `included`: in a block that a reorg could still replace; `final`: in a final block
   * - `failed`: it had no effect, for the reason in `why`
   */
  stage: 'wallet' | 'sent' | 'ready' | 'included' | 'final' | 'failed'
  ask: Ask
  /** The requested call, used to identify the transaction or its replacement. */
  target?: { to: string; data: string } | undefined
  /** The wallet's next nonce and the block number at the time of the request. */
  nonce?: number | undefined
  fromBlock?: number | undefined
  hash?: string | undefined
  /** The id of the batch, if the calls were sent as one (EIP-5792). */
  batch?: string | undefined
  /** Whether the wallet replaced the transaction by one with another fee. */
  resent?: boolean | undefined
  why?: Fault | undefined
  /** When the current stage began, in milliseconds since 1970. */
  at: number
}

const day = 86_400_000
const ended: readonly StoredTransaction['stage'][] = ['final', 'failed']

/** Returns the storage key of a transaction: a wallet has at most one per purpose. */
export const keyOf = ({
  wallet,
  chainId,
  purpose,
}: Pick<StoredTransaction, 'wallet' | 'chainId' | 'purpose'>) =>
  `${chainId}:${wallet.toLowerCase()}:${purpose}`

const prefix = 'wei:'

const writeBigInt = (_: string, value: unknown) =>
  typeof value === 'bigint' ? `${prefix}${value}` : value

const readBigInt = (_: string, value: unknown) =>
  typeof value === 'string' && /^wei:\d+$/.test(value) ? BigInt(value.slice(prefix.length)) : value

const stages: readonly unknown[] = ['wallet', 'sent', 'ready', 'included', 'final', 'failed']

/** The transactions stored in this browser. Other tabs can change them too. */
export const storedTransactions = storedList<StoredTransaction>('transactions', isStored, {
  revive: readBigInt,
  replace: writeBigInt,
})

/**
 * Stores a transaction, replacing any other with the same purpose, and deletes old finished ones.
 */
export function storeTransaction(transaction: StoredTransaction) {
  const key = keyOf(transaction)
  storedTransactions.update((all) => {
    const others = all
      .filter((each) => keyOf(each) !== key)
      .filter((each) => !ended.includes(each.stage) || Date.now() - each.at < day)
    return [...others, transaction]
  })
}

export function deleteTransaction(key: string) {
  storedTransactions.update((all) => all.filter((each) => keyOf(each) !== key))
}

function isStored(value: unknown): value is StoredTransaction {
  if (typeof value !== 'object' || value === null) return false
  const { wallet, chainId, purpose, intent, stage, at } = value as Partial<StoredTransaction>
  return (
    typeof wallet === 'string' &&
    typeof chainId === 'number' &&
    typeof purpose === 'string' &&
    typeof intent?.does === 'string' &&
    typeof intent.call?.name === 'string' &&
    typeof at === 'number' &&
    stages.includes(stage)
  )
}
