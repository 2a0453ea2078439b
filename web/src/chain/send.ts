import type { Hex } from 'viem'
import { TransactionFault } from './errors'
import type { Ask, Kept } from './kept'
import { countOf, type Node, type Target } from './node'
import { chainTime, isGood, partsOf } from './permit'
import type { Review } from './review'

/** What is remembered of each step, before it is taken. */
export type Tell = (step: Partial<Kept> & Pick<Kept, 'stage' | 'ask'>) => void

/** The calls that take a permit along, by those that want an allowance. */
const withPermit: Record<string, string> = {
  lockApplicationStake: 'lockApplicationStakeWithPermit',
}

/** Asks the wallet for what was reviewed; what becomes of it, `look` finds out. */
export async function send(node: Node, review: Review, tell: Tell) {
  const { approval, target, way } = review
  switch (way) {
    case 'call':
      return sendOne(node, review.account, 'transaction', target, tell)
    case 'permit':
      return sendOne(node, review.account, 'transaction', await permitted(node, review, tell), tell)
    case 'batch':
      return sendBatch(node, review, tell)
    case 'allowance':
      if (approval) return sendOne(node, review.account, 'approval', approval, tell)
  }
}

/** Has the permit signed, and makes the call that takes it along. */
async function permitted(node: Node, review: Review, tell: Tell): Promise<Target> {
  const { permit, intent, account } = review
  const name = withPermit[intent.call.name]
  if (!permit || !name) throw new Error(`there is no ${intent.call.name} with a permit`)
  if (!isGood(permit, await chainTime(node))) {
    throw new TransactionFault('The permission has run out.', 'Look at it again, then sign.')
  }
  if (!permit.signed) {
    tell({ stage: 'wallet', ask: 'permit' })
    const signature = await node.askWallet<Hex>('eth_signTypedData_v4', account, permit.typedData)
    permit.signed = partsOf(signature)
  }
  const { v, r, s } = permit.signed
  const args = [...intent.call.args, permit.deadline, v, r, s]
  const target = node.targetOf({ contract: intent.call.contract, name, args })
  await node.attempt(account, target)
  return target
}

async function sendOne(node: Node, account: string, ask: Ask, target: Target, tell: Tell) {
  const [nonce, block] = await Promise.all([
    countOf(node, account, 'pending'),
    node.ask<Hex>('eth_blockNumber'),
  ])
  tell({ stage: 'wallet', ask, target, nonce, fromBlock: Number(block) })
  const hash = await node.askWallet<Hex>('eth_sendTransaction', {
    from: account,
    ...target,
    value: '0x0',
  })
  tell({ stage: 'sent', ask, hash })
}

/** Has the approval and the call sent as one, both or neither. */
async function sendBatch(node: Node, { account, approval, target }: Review, tell: Tell) {
  // The name is ours, so that it is known although the page is closed before the wallet answers.
  const name = randomId()
  tell({ stage: 'wallet', ask: 'batch', batch: name })
  const answer = await node.askWallet<string | { id: string }>('wallet_sendCalls', {
    version: '2.0.0',
    id: name,
    from: account,
    chainId: await node.ask<Hex>('eth_chainId'),
    atomicRequired: true,
    calls: [approval, target].map((each) => ({ ...each, value: '0x0' })),
  })
  tell({ stage: 'sent', ask: 'batch', batch: typeof answer === 'string' ? answer : answer.id })
}

function randomId(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
