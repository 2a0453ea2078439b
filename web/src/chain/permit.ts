import { type Hex, slice } from 'viem'
import type { Contracts } from '@/api/contracts'
import { messages } from '@/messages/chain'
import { TransactionFault } from './errors'
import { type Block, type Node, same } from './node'

/** An ERC-2612 permit: a signed permission to transfer exactly `value` until `deadline`. */
export interface Permit {
  deadline: bigint
  /** The typed data as JSON, for `eth_signTypedData_v4`. */
  typedData: string
  /** The wallet's signature, stored so that a retry does not have to request it again. */
  signed?: { v: number; r: Hex; s: Hex }
}

const lifetime = 3_600n
/** In seconds: the latest date that JavaScript can represent. */
const latestTime = 8_640_000_000_000n
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

/** Builds the permit from data that is read from the token contract, not from the server. */
export async function permitOf(
  node: Node,
  contracts: Contracts,
  owner: string,
  spender: string,
  value: bigint,
): Promise<Permit> {
  const [domain, nonce, block] = await Promise.all([
    node.read({ contract: 'token', name: 'eip712Domain', args: [] }) as Promise<
      readonly [Hex, string, string, bigint, Hex, Hex, readonly bigint[]]
    >,
    node.read({ contract: 'token', name: 'nonces', args: [owner] }) as Promise<bigint>,
    node.ask<Block>('eth_getBlockByNumber', 'latest', false),
  ])
  const [, name, version, chainId, verifyingContract] = domain
  const token = contracts.token.address
  if (chainId !== BigInt(contracts.chainId) || !same(verifyingContract, token))
    throw new TransactionFault(messages.otherToken, messages.doNotSign)
  const deadline = BigInt(block.timestamp) + lifetime
  if (deadline > latestTime) {
    throw new TransactionFault(messages.badTime.title, messages.badTime.hint)
  }
  const typedData = {
    types: { EIP712Domain: domainFields, Permit: permitFields },
    primaryType: 'Permit',
    domain: { name, version, chainId: contracts.chainId, verifyingContract },
    message: {
      owner,
      spender,
      value: `${value}`,
      nonce: `${nonce}`,
      deadline: `${deadline}`,
    },
  }
  return { deadline, typedData: JSON.stringify(typedData) }
}

const signatureBytes = 65

/** Splits a signature into the parts that the token expects. */
export function partsOf(signature: Hex): { v: number; r: Hex; s: Hex } {
  if (signature.length !== 2 + 2 * signatureBytes) {
    throw new TransactionFault(messages.badSignature.title, messages.badSignature.hint)
  }
  const v = Number(slice(signature, 64, 65))
  return { r: slice(signature, 0, 32), s: slice(signature, 32, 64), v: v < 27 ? v + 27 : v }
}

/**
 * Whether a permit remains valid for more than a quarter of its lifetime, so that there is time to sign
 * and mine the transaction. `now` is the chain's time in seconds.
 */
export const isGood = ({ deadline }: Permit, now: bigint) => deadline > now + lifetime / 4n

/** Returns the timestamp of the newest block, in seconds. */
export async function chainTime(node: Node): Promise<bigint> {
  const block = await node.ask<Block>('eth_getBlockByNumber', 'latest', false)
  return BigInt(block.timestamp)
}
