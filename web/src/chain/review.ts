import { numberToHex } from 'viem'
import type { Contracts } from '@/api/contracts'
import { messages } from '@/messages/chain'
import { ContractRefusal, otherChain, TransactionFault } from './errors'
import type { Intent } from './intent'
import { type Node, same, type Target } from './node'
import { type Permit, permitOf } from './permit'
import type { Ask } from './stored-transactions'

/** How a call gets permission for its token transfer. */
type Way = 'call' | 'permit' | 'batch' | 'allowance'

/** What the user will sign. It is displayed before any request to the wallet. */
export interface Review {
  intent: Intent
  account: string
  way: Way
  /** The requests that will be sent to the wallet, in order. */
  asks: readonly Ask[]
  /** The called contract. It is also the spender if `intent.spends` is set. */
  contract: { name: string; address: string }
  token: { symbol: string; address: string }
  target: Target
  /** The call that approves exactly the spent amount; set for `batch` and `allowance`. */
  approval?: Target | undefined
  /** The permit to be signed first; set for `permit`. */
  permit?: Permit | undefined
}

const requestsOf: Record<Way, readonly Ask[]> = {
  call: ['transaction'],
  permit: ['permit', 'transaction'],
  batch: ['batch'],
  allowance: ['approval', 'transaction'],
}

/**
 * Builds the call from the ABI, compares it with the API's proposal, checks that it matches the
 * displayed data on the chain, and simulates it. Throws if a step fails.
 */
export async function makeReview(
  node: Node,
  contracts: Contracts,
  account: string,
  intent: Intent,
): Promise<Review> {
  const target = node.targetOf(intent.call)
  checkProposal(intent, target, contracts.chainId)
  const spender = node.addressOf(intent.call.contract)
  const { spends } = intent
  const way = spends ? await wayOf(node, contracts, account, spends, spender) : 'call'
  await attempt(node, account, target, way)
  await checkExpectations(node, intent)
  return {
    intent,
    account,
    way,
    asks: requestsOf[way],
    contract: { name: messages.contract[intent.call.contract], address: spender },
    token: { symbol: contracts.token.symbol, address: contracts.token.address },
    target,
    ...(spends && (way === 'batch' || way === 'allowance')
      ? {
          approval: node.targetOf({ contract: 'token', name: 'approve', args: [spender, spends] }),
        }
      : {}),
    ...(spends && way === 'permit'
      ? { permit: await permitOf(node, contracts, account, spender, spends) }
      : {}),
  }
}

/** Throws if the API's proposed call differs from the requested one. */
export function checkProposal({ proposal }: Intent, target: Target, chainId: number) {
  if (!proposal) return
  const matches =
    proposal.chainId === chainId &&
    proposal.value === '0' &&
    same(proposal.to, target.to) &&
    same(proposal.data, target.data)
  if (matches) return
  throw new TransactionFault(messages.otherCall, messages.doNotSign)
}

async function checkExpectations(node: Node, { expects = [] }: Intent) {
  for (const { read, is } of expects) {
    const result = await node.read(read)
    const values = typeof result === 'object' && result !== null ? Object.values(result) : [result]
    if (is.length <= values.length && is.every((each, i) => areEqual(each, values[i]))) continue
    throw otherChain()
  }
}

const areEqual = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()

/**
 * Chooses how the token transfer is permitted. Nothing is needed if the allowance suffices. Wallets
 * that support atomic batches send the approval and the call in one batch. Of the others, plain
 * wallets sign a permit, and contract wallets, which cannot, send two transactions.
 */
async function wayOf(
  node: Node,
  contracts: Contracts,
  account: string,
  spends: bigint,
  spender: string,
): Promise<Way> {
  const balance = (await node.read({
    contract: 'token',
    name: 'balanceOf',
    args: [account],
  })) as bigint
  if (balance < spends) throw insufficientFunds(contracts.token.symbol)
  const allowed = (await node.read({
    contract: 'token',
    name: 'allowance',
    args: [account, spender],
  })) as bigint
  if (allowed >= spends) return 'call'
  const code = await node.ask<string>('eth_getCode', account, 'latest')
  const isContract = code !== '0x' && !code.startsWith(delegated)
  const atomic = await atomicityOf(node, account, contracts.chainId)
  if (atomic === 'supported' || (isContract && atomic === 'ready')) return 'batch'
  return isContract ? 'allowance' : 'permit'
}

/** The code prefix of an account that has a key and delegates to a contract (EIP-7702). */
const delegated = '0xef0100'

const insufficientFunds = (symbol: string) =>
  new TransactionFault(messages.tooLittle.title(symbol), messages.tooLittle.hint(symbol))

// The accounts whose wallets announced support for batches but failed to send one.
const withoutBatches = new Set<string>()

/** Disables batches for an account. */
export const disableBatches = (account: string) => void withoutBatches.add(account.toLowerCase())

/** Returns whether the wallet can send several calls in one atomic batch (EIP-5792). */
async function atomicityOf(
  node: Node,
  account: string,
  chainId: number,
): Promise<'supported' | 'ready' | 'unsupported'> {
  if (withoutBatches.has(account.toLowerCase())) return 'unsupported'
  try {
    const id = numberToHex(chainId)
    const all = await node.askWallet<Record<string, { atomic?: { status?: string } }>>(
      'wallet_getCapabilities',
      account,
      [id],
    )
    const status = all[id]?.atomic?.status
    return status === 'supported' || status === 'ready' ? status : 'unsupported'
  } catch {
    return 'unsupported' // most wallets do not implement the method
  }
}

/** Simulates the call, so that a revert is detected before anything is signed. */
async function attempt(node: Node, account: string, target: Target, way: Way) {
  try {
    await node.attempt(account, target)
  } catch (error) {
    // Before the permission is given, the simulation must fail at the token transfer, which follows
    // all other checks.
    const reachesTransfer = way !== 'call' && error instanceof ContractRefusal
    if (!reachesTransfer || error.refusal !== 'ERC20InsufficientAllowance') throw error
  }
}
