import type { Hex } from 'viem'
import { messages } from '@/messages/chain'
import type { Fault } from './errors'
import { ContractRefusal, walletFault } from './errors'
import { type Block, countOf, type Node, type Receipt, same, transactionWith } from './node'
import type { StoredTransaction } from './stored-transactions'

/**
 * Checks the state of a transaction on the chain. Returns the same object if nothing has changed.
 * Also finds a transaction that the wallet sent while no page was open, and one that replaced it.
 */
export async function checkTransaction(
  node: Node,
  transaction: StoredTransaction,
): Promise<StoredTransaction> {
  const current =
    transaction.batch && !transaction.hash ? await checkBatch(node, transaction) : transaction
  if (current.stage === 'failed') return current
  const receipt = current.hash
    ? await node.ask<Receipt | null>('eth_getTransactionReceipt', current.hash)
    : null
  if (receipt) return applyReceipt(node, current, receipt)
  // A reorg has removed the transaction from its block.
  if (current.stage === 'included') return change(current, { stage: 'sent' })
  return current.nonce === undefined || current.batch
    ? current
    : checkNonce(node, current, current.nonce)
}

/**
 * Finds the transaction by its nonce. A contract wallet has no usable nonce, so its transaction is
 * found by its hash.
 */
async function checkNonce(
  node: Node,
  transaction: StoredTransaction,
  nonce: number,
): Promise<StoredTransaction> {
  const { wallet, fromBlock = 0, target, stage } = transaction
  const count = await countOf(node, wallet, 'latest')
  if (count <= nonce)
    return stage === 'wallet' ? checkPending(node, transaction, nonce) : transaction
  const found = await transactionWith(node, wallet, nonce, fromBlock).catch(() => undefined)
  // Its block arrived after the request for the receipt. The next check reads the receipt.
  if (found && same(found.hash, transaction.hash)) return transaction
  if (found && same(found.to, target?.to) && same(found.input, target?.data)) {
    const resent = transaction.hash !== undefined
    return change(transaction, { stage: 'sent', hash: found.hash, ...(resent ? { resent } : {}) })
  }
  // The nodes behind one URL can be at different blocks: one may count a transaction whose block
  // another has not received yet.
  if (!found && (stage === 'wallet' || Date.now() - transaction.at < missingTimeout))
    return transaction
  // Another transaction used this nonce first; ours is still pending.
  if (stage === 'wallet') return { ...transaction, nonce: nonce + 1 }
  const mined = transaction.hash === undefined ? undefined : await nonceOf(node, transaction.hash)
  if (mined !== undefined && mined > nonce) return { ...transaction, nonce: mined }
  return change(transaction, { stage: 'failed', why: replacedBy(found, wallet) })
}

/**
 * Finds the transaction among those that the node has received but not included yet. The wallet may have sent it
 * although it returned an error or no response.
 */
async function checkPending(
  node: Node,
  transaction: StoredTransaction,
  nonce: number,
): Promise<StoredTransaction> {
  const { wallet, target } = transaction
  if ((await countOf(node, wallet, 'pending')) <= nonce) return transaction
  const block = await node.ask<Block | null>('eth_getBlockByNumber', 'pending', true)
  const found = block?.transactions.find(
    ({ from, to, input }) =>
      same(from, wallet) && same(to, target?.to) && same(input, target?.data),
  )
  return found ? change(transaction, { stage: 'sent', hash: found.hash }) : transaction
}

// In ms: how long a transaction that the node counts may be missing from its blocks.
const missingTimeout = 60_000

/**
 * Returns the nonce that the wallet assigned to our transaction. It can be preceded by others that
 * our node has not received. Undefined if neither the node nor the wallet has the transaction.
 */
async function nonceOf(node: Node, hash: string): Promise<number | undefined> {
  for (const ask of [node.ask, node.askWallet]) {
    const current = await ask<{ nonce: Hex } | null>('eth_getTransactionByHash', hash).catch(
      () => null,
    )
    if (current) return Number(current.nonce)
  }
  return undefined
}

function replacedBy(found: Block['transactions'][number] | undefined, wallet: string): Fault {
  if (found && same(found.to, wallet) && found.input === '0x') return { title: messages.cancelled }
  return messages.replaced
}

const success = 1

async function applyReceipt(
  node: Node,
  transaction: StoredTransaction,
  receipt: Receipt,
): Promise<StoredTransaction> {
  if (Number(receipt.status) !== success)
    return change(transaction, { stage: 'failed', why: await reasonOf(node, transaction) })
  if (!hasEffect(transaction, receipt))
    return change(transaction, { stage: 'failed', why: messages.noEffect })
  if (transaction.ask === 'approval') return change(transaction, { stage: 'ready' })
  if (await isFinal(node, receipt)) return change(transaction, { stage: 'final' })
  return change(transaction, { stage: 'included' })
}

/**
 * Whether the called contract emitted a log, as every state change does. A contract wallet's
 * transaction can succeed although its inner call failed.
 */
const hasEffect = ({ target }: StoredTransaction, { logs }: Receipt) =>
  !target || logs.some(({ address }) => same(address, target.to))

async function isFinal(node: Node, receipt: Receipt): Promise<boolean> {
  try {
    const block = await node.ask<Block | null>('eth_getBlockByNumber', 'finalized', false)
    return block !== null && Number(block.number) >= Number(receipt.blockNumber)
  } catch {
    return false // this node does not support the block tag
  }
}

/**
 * Returns why a transaction failed: the contract's error in a new simulation, or a general text if there
 * is none or the node does not respond.
 */
async function reasonOf(node: Node, { wallet, target }: StoredTransaction): Promise<Fault> {
  try {
    if (target) await node.attempt(wallet, { to: target.to as Hex, data: target.data as Hex })
  } catch (error) {
    if (error instanceof ContractRefusal) return walletFault(error)
  }
  return { title: messages.reverted, hint: messages.revertedHint }
}

/** Batches with this status or a higher one have failed (EIP-5792). */
const batchFailed = 400
/** The status of a batch that succeeded only partially, although it was requested as atomic. */
const batchInPart = 600
const batchDone = 200

async function checkBatch(node: Node, transaction: StoredTransaction): Promise<StoredTransaction> {
  const batch = await node
    .askWallet<{ status: number; receipts?: { transactionHash: string }[] }>(
      'wallet_getCallsStatus',
      transaction.batch,
    )
    .catch(() => undefined) // the wallet has not sent the batch yet
  if (!batch) return transaction
  const hash = batch.receipts?.at(-1)?.transactionHash
  if (batch.status >= batchFailed) {
    const why = batch.status < batchInPart ? messages.notSent : messages.partlySent
    return change(transaction, { stage: 'failed', why })
  }
  if (batch.status >= batchDone && hash) return change(transaction, { stage: 'sent', hash })
  return transaction.stage === 'wallet' ? change(transaction, { stage: 'sent' }) : transaction
}

/** Applies a change to a transaction. Returns the same object if nothing differs. */
function change(
  transaction: StoredTransaction,
  next: Partial<StoredTransaction> & Pick<StoredTransaction, 'stage'>,
): StoredTransaction {
  const isChange = Object.entries(next).some(
    ([name, value]) => transaction[name as keyof StoredTransaction] !== value,
  )
  return isChange ? { ...transaction, ...next, at: Date.now() } : transaction
}
