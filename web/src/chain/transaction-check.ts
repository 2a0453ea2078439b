import type { Hex } from 'viem'
import { messages } from '@/messages/chain'
import type { Fault } from './errors'
import { walletFault } from './errors'
import { type Block, countOf, type Node, type Receipt, same, transactionWith } from './node'
import type { StoredTransaction } from './stored-transactions'

/**
 * What the chain says of a transaction now: the same object where nothing has changed. It finds
 * one that the wallet sent while no page was open, and what took its place in the wallet.
 */
export async function look(node: Node, kept: StoredTransaction): Promise<StoredTransaction> {
  const known = kept.batch && !kept.hash ? await lookAtBatch(node, kept) : kept
  if (known.stage === 'failed') return known
  const receipt = known.hash
    ? await node.ask<Receipt | null>('eth_getTransactionReceipt', known.hash)
    : null
  if (receipt) return settle(node, known, receipt)
  if (known.stage === 'included') return change(known, { stage: 'sent' }) // its block was replaced
  return known.nonce === undefined || known.batch ? known : lookAtCount(node, known, known.nonce)
}

/** A wallet as a contract has no count that says anything; its transaction is known by its hash. */
async function lookAtCount(
  node: Node,
  kept: StoredTransaction,
  nonce: number,
): Promise<StoredTransaction> {
  const { wallet, fromBlock = 0, target, stage } = kept
  const count = await countOf(node, wallet, 'latest')
  if (count <= nonce) return kept
  const found = await transactionWith(node, wallet, nonce, fromBlock).catch(() => undefined)
  if (found && same(found.to, target?.to) && same(found.input, target?.data)) {
    const resent = kept.hash !== undefined && !same(found.hash, kept.hash)
    return change(kept, { stage: 'sent', hash: found.hash, ...(resent ? { resent } : {}) })
  }
  // Nodes that stand behind one address may not be equally far: one that counts has not the block.
  if (!found && (stage === 'wallet' || Date.now() - kept.at < patience)) return kept
  // Not asked for by us, but before it: ours is yet to come.
  if (stage === 'wallet') return { ...kept, nonce: nonce + 1 }
  const own = kept.hash === undefined ? undefined : await countGiven(node, kept.hash)
  if (own !== undefined && own > nonce) return { ...kept, nonce: own }
  return change(kept, { stage: 'failed', why: replacedBy(found, wallet) })
}

// In ms: how long a transaction may be counted and not be found.
const patience = 60_000

/**
 * The count that a wallet gave to a transaction of ours: others that our node has not heard of
 * yet may come before it. Undefined where neither the node nor the wallet knows it.
 */
async function countGiven(node: Node, hash: string): Promise<number | undefined> {
  for (const ask of [node.ask, node.askWallet]) {
    const known = await ask<{ nonce: Hex } | null>('eth_getTransactionByHash', hash).catch(
      () => null,
    )
    if (known) return Number(known.nonce)
  }
  return undefined
}

function replacedBy(found: Block['transactions'][number] | undefined, wallet: string): Fault {
  if (found && same(found.to, wallet) && found.input === '0x') return { title: messages.cancelled }
  return messages.replaced
}

const success = 1

async function settle(
  node: Node,
  kept: StoredTransaction,
  receipt: Receipt,
): Promise<StoredTransaction> {
  if (Number(receipt.status) !== success)
    return change(kept, { stage: 'failed', why: await whyOf(node, kept) })
  if (!isDone(kept, receipt)) return change(kept, { stage: 'failed', why: nothingDone })
  if (kept.ask === 'approval') return change(kept, { stage: 'ready' })
  if (await isFinal(node, receipt)) return change(kept, { stage: 'final' })
  return change(kept, { stage: 'included' })
}

/**
 * Whether the contract that was called has said anything, as it does at each change: a wallet that
 * is a contract may end well although its call did not.
 */
const isDone = ({ target }: StoredTransaction, { logs }: Receipt) =>
  !target || logs.some(({ address }) => same(address, target.to))

const nothingDone: Fault = {
  title: messages.noEffect,
  hint: messages.revertedHint,
}

async function isFinal(node: Node, receipt: Receipt): Promise<boolean> {
  try {
    const block = await node.ask<Block | null>('eth_getBlockByNumber', 'finalized', false)
    return block !== null && Number(block.number) >= Number(receipt.blockNumber)
  } catch {
    return false // this node does not say
  }
}

/** Why a transaction failed: what the contract would refuse now, else that it did nothing. */
async function whyOf(node: Node, { wallet, target }: StoredTransaction): Promise<Fault> {
  try {
    if (target) await node.attempt(wallet, { to: target.to as Hex, data: target.data as Hex })
  } catch (error) {
    return walletFault(error)
  }
  return {
    title: messages.reverted,
    hint: messages.revertedHint,
  }
}

/** From this status on a bundle has failed (EIP-5792); below it there are those that went through. */
const batchFailed = 400
/** With this one a part went through, although all or none was asked for. */
const batchInPart = 600
const batchDone = 200

async function lookAtBatch(node: Node, kept: StoredTransaction): Promise<StoredTransaction> {
  const answer = await node
    .askWallet<{ status: number; receipts?: { transactionHash: string }[] }>(
      'wallet_getCallsStatus',
      kept.batch,
    )
    .catch(() => undefined) // not sent yet, as far as the wallet knows
  if (!answer) return kept
  const hash = answer.receipts?.at(-1)?.transactionHash
  if (answer.status >= batchFailed) {
    const title = answer.status < batchInPart ? messages.notSent : messages.partlySent
    return change(kept, { stage: 'failed', why: { title } })
  }
  if (answer.status >= batchDone && hash) return change(kept, { stage: 'sent', hash })
  return kept.stage === 'wallet' ? change(kept, { stage: 'sent' }) : kept
}

/** Changes what is remembered; the same object where that is no change. */
function change(
  kept: StoredTransaction,
  next: Partial<StoredTransaction> & Pick<StoredTransaction, 'stage'>,
): StoredTransaction {
  const isChange = Object.entries(next).some(
    ([name, value]) => kept[name as keyof StoredTransaction] !== value,
  )
  return isChange ? { ...kept, ...next, at: Date.now() } : kept
}
