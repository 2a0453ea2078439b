import { type Hex, numberToHex } from 'viem'
import { messages } from '@/messages/chain'
import {
  ContractRefusal,
  codesOf,
  isRejection,
  isUnsent,
  PossiblySent,
  TransactionFault,
  walletFault,
} from './errors'
import { countOf, type Node, refusalOf, type Target } from './node'
import { chainTime, isGood, partsOf } from './permit'
import { disableBatches, type Review } from './review'
import type { Ask, StoredTransaction } from './stored-transactions'

/**
 * Records each step: before a request to the wallet, and after the wallet has sent the transaction.
 */
export type OnStep = (
  step: Partial<StoredTransaction> & Pick<StoredTransaction, 'stage' | 'ask'>,
) => void

/** The gas that every transaction costs at least. */
const minGas: Hex = numberToHex(21_000)

/** Maps each function that needs an allowance to its variant with a permit. */
const withPermit: Record<string, string> = {
  lockApplicationStake: 'lockApplicationStakeWithPermit',
}

/** Sends the reviewed requests to the wallet. `checkTransaction` determines the result. */
export async function send(node: Node, review: Review, onStep: OnStep) {
  const { approval, target, way } = review
  switch (way) {
    case 'call':
      // Simulate again, because another tab or user may have changed the state since the review.
      await node.attempt(review.account, target)
      return sendOne(node, review.account, 'transaction', target, onStep)
    case 'permit':
      return sendOne(
        node,
        review.account,
        'transaction',
        await permitted(node, review, onStep),
        onStep,
      )
    case 'batch':
      return sendBatch(node, review, onStep)
    case 'allowance':
      if (approval) return sendOne(node, review.account, 'approval', approval, onStep)
  }
}

/** Requests the permit's signature and builds the call that includes it. */
async function permitted(node: Node, review: Review, onStep: OnStep): Promise<Target> {
  const { permit, intent, account } = review
  const name = withPermit[intent.call.name]
  if (!permit || !name) throw new Error(`${intent.call.name} has no variant with a permit`)
  if (!isGood(permit, await chainTime(node))) {
    throw new TransactionFault(messages.permissionExpired.title, messages.permissionExpired.hint)
  }
  if (!permit.signed) {
    onStep({ stage: 'wallet', ask: 'permit' })
    const { typedData } = permit
    const request = ['eth_signTypedData_v4', account, typedData] as const
    permit.signed = partsOf(await node.askPerson<Hex>(account, ...request))
  }
  const { v, r, s } = permit.signed
  const args = [...intent.call.args, permit.deadline, v, r, s]
  const target = node.targetOf({ contract: intent.call.contract, name, args })
  await node.attempt(account, target)
  return target
}

async function sendOne(node: Node, account: string, ask: Ask, target: Target, onStep: OnStep) {
  const [nonce, block] = await Promise.all([
    countOf(node, account, 'pending'),
    node.ask<Hex>('eth_blockNumber'),
  ])
  onStep({ stage: 'wallet', ask, target, nonce, fromBlock: Number(block) })
  const request = { from: account, ...target, value: '0x0', chainId: numberToHex(node.chainId) }
  const hash = await node
    .askPerson<Hex>(account, 'eth_sendTransaction', request)
    .catch(async (error: unknown) => {
      throw isUnsent(error) ? error : await explained(node, account, target, error)
    })
  onStep({ stage: 'sent', ask, hash })
}

/**
 * Reads from the chain why the wallet could not send the call: the contract rejects it, or the account cannot
 * pay the network fee. Returns the wallet's error if the chain shows no reason.
 */
async function explained(node: Node, account: string, target: Target, error: unknown) {
  const refusal = refusalOf(error) ?? (await simulated(node, account, target))
  if (refusal) return new PossiblySent(walletFault(refusal), error)
  if (await lacksCoin(node, account, target).catch(() => false))
    return new PossiblySent({ title: messages.noGas, hint: messages.sendGas }, error)
  return error
}

const simulated = (node: Node, account: string, target: Target) =>
  node.attempt(account, target).then(
    () => undefined,
    (error: unknown) => (error instanceof ContractRefusal ? error : undefined),
  )

/** Whether an account cannot pay for a call. The fee of a contract wallet can be paid by others. */
async function lacksCoin(node: Node, account: string, target: Target): Promise<boolean> {
  const [code, balance, price, gas] = await Promise.all([
    node.ask<Hex>('eth_getCode', account, 'latest'),
    node.ask<Hex>('eth_getBalance', account, 'latest'),
    node.ask<Hex>('eth_gasPrice'),
    node.ask<Hex>('eth_estimateGas', { from: account, ...target }).catch(() => minGas),
  ])
  return code === '0x' && BigInt(balance) < BigInt(price) * BigInt(gas)
}

/** Sends the approval and the call in one atomic batch. */
async function sendBatch(node: Node, { account, approval, target }: Review, onStep: OnStep) {
  // The app chooses the batch id, so that it is stored even if the page is closed before the wallet
  // responds.
  const name = randomId()
  onStep({ stage: 'wallet', ask: 'batch', batch: name, target })
  const bundle = {
    version: '2.0.0',
    id: name,
    from: account,
    chainId: numberToHex(node.chainId),
    atomicRequired: true,
    calls: [approval, target].map((each) => ({ ...each, value: '0x0' })),
  }
  const reply = await node
    .askPerson<string | { id: string }>(account, 'wallet_sendCalls', bundle)
    .catch((error: unknown) => {
      throw isRefusedBundle(error) ? oneByOne(account) : error
    })
  onStep({ stage: 'sent', ask: 'batch', batch: typeof reply === 'string' ? reply : reply.id })
}

/** Whether the wallet rejected a batch although it had announced support. */
const isRefusedBundle = (error: unknown) =>
  isUnsent(error) && codesOf(error).length > 0 && !isRejection(error)

function oneByOne(account: string) {
  disableBatches(account)
  return new TransactionFault(messages.noBatch.title, messages.noBatch.hint)
}

function randomId(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
