import { type Config, getClient, getConnection } from '@wagmi/core'
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  numberToHex,
} from 'viem'
import type { Contracts } from '@/api/contracts'
import { messages } from '@/messages/chain'
import { readConnection } from './connection'
import { type ContractRefusal, causesOf, TransactionFault, WalletMismatch } from './errors'
import { errorsAbi, escrowAbi, stakingAbi, tokenAbi } from './gen/abi.gen'
import type { Call, ContractName, Read } from './intent'
import { contractRefusal } from './refusal'

const abis = { token: tokenAbi, staking: stakingAbi, escrow: escrowAbi }

/** A transaction as a wallet is asked for it. */
export interface Target {
  to: Hex
  data: Hex
}

/** A block and a transaction, as much of them as is asked for. */
export interface Block {
  number: Hex
  timestamp: Hex
  transactions: { hash: Hex; from: Hex; to: Hex | null; input: Hex; nonce: Hex }[]
}

export interface Receipt {
  status: Hex
  blockNumber: Hex
  logs: { address: Hex }[]
}

/** The chain: read through our node, signed through the wallet. */
export interface Node {
  /** Asks the node. */
  ask<T>(method: string, ...params: unknown[]): Promise<T>
  /** The chain that the contracts are on. */
  readonly chainId: number
  /** Asks the wallet for what it knows. */
  askWallet<T>(method: string, ...params: unknown[]): Promise<T>
  /**
   * Reads the account and the chain from the wallet again, because earlier answers may be out of
   * date. Throws WalletMismatch if the wallet shows another account or chain.
   */
  checkWallet(account: string): Promise<void>
  /** Asks the person, through the wallet, after `checkWallet`. */
  askPerson<T>(account: string, method: string, ...params: unknown[]): Promise<T>
  addressOf(contract: ContractName): Hex
  targetOf(call: AnyCall): Target
  read(read: AnyCall): Promise<unknown>
  /** Tries a call without sending it. Throws what the contract refuses, in words. */
  attempt(from: string, target: Target): Promise<void>
}

/** Any function of the contracts; `intent.ts` has the types that callers meet. */
export type AnyCall =
  | Call
  | Read
  | { contract: ContractName; name: string; args: readonly unknown[] }

export function createNode(config: Config, contracts: Contracts): Node {
  const addresses: Record<ContractName, string> = {
    token: contracts.token.address,
    staking: contracts.applicationStakingAddress,
    escrow: contracts.escrowAddress,
  }
  const client = getClient(config)
  if (!client) throw new Error('the chain is not configured')
  const ask = async <T>(method: string, ...params: unknown[]) =>
    (await client.request({ method, params } as never)) as T
  const { chainId } = contracts
  const askWallet = async <T>(method: string, ...params: unknown[]) => {
    const { connector } = getConnection(config)
    if (!connector) throw new TransactionFault(messages.noWallet.title, messages.noWallet.hint)
    const provider = (await connector.getProvider()) as {
      request(asked: { method: string; params: unknown[] }): Promise<unknown>
    }
    return (await provider.request({ method, params })) as T
  }
  const addressOf = (contract: ContractName) => addresses[contract] as Hex
  const targetOf = ({ contract, name, args }: AnyCall): Target => ({
    to: addressOf(contract),
    data: encodeFunctionData({ abi: abis[contract], functionName: name, args } as never),
  })

  const checkWallet = async (account: string) => {
    const shown = await readConnection(config)
    if (!same(shown.accounts[0], account)) throw new WalletMismatch('wallet')
    if (shown.chainId !== chainId) throw new WalletMismatch('network')
  }

  return {
    chainId,
    ask,
    askWallet,
    checkWallet,
    addressOf,
    targetOf,
    async askPerson<T>(account: string, method: string, ...params: unknown[]) {
      await checkWallet(account)
      return askWallet<T>(method, ...params)
    },
    async read(read) {
      const data = await ask<Hex>('eth_call', targetOf(read), 'latest')
      const { contract, name } = read
      return decodeFunctionResult({ abi: abis[contract], functionName: name, data } as never)
    },
    async attempt(from, target) {
      try {
        await ask('eth_call', { from, ...target }, 'latest')
      } catch (error) {
        throw refusalOf(error) ?? error
      }
    },
  }
}

/** What a contract refused, found in what the node or the wallet said; undefined for none. */
export function refusalOf(error: unknown): ContractRefusal | undefined {
  for (const each of causesOf(error)) {
    const data = 'data' in each ? dataOf(each.data) : undefined
    if (!data) continue
    try {
      const { errorName } = decodeErrorResult({ abi: errorsAbi, data })
      return contractRefusal(errorName)
    } catch {
      return contractRefusal('')
    }
  }
  return undefined
}

/** Nodes give the bytes as they are or one level down. */
function dataOf(data: unknown): Hex | undefined {
  if (isHex(data)) return data
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined
  return isHex(inner) ? inner : undefined
}

/**
 * The transaction of an account that has this number, once the account has counted past it;
 * undefined where the node no longer knows that long ago.
 */
export async function transactionWith(
  node: Node,
  account: string,
  nonce: number,
  fromBlock: number,
): Promise<Block['transactions'][number] | undefined> {
  let low = fromBlock
  let high = Number(await node.ask<Hex>('eth_blockNumber'))
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if ((await countOf(node, account, numberToHex(middle))) > nonce) high = middle
    else low = middle
  }
  for (const number of [high, low]) {
    const block = await node.ask<Block | null>('eth_getBlockByNumber', numberToHex(number), true)
    const found = block?.transactions.find(
      (each) => same(each.from, account) && Number(each.nonce) === nonce,
    )
    if (found) return found
  }
  return undefined
}

/** How many transactions an account has sent. */
export async function countOf(node: Node, account: string, block: string): Promise<number> {
  return Number(await node.ask<Hex>('eth_getTransactionCount', account, block))
}

/** Whether two texts in hex are the same. */
export const same = (a: string | null | undefined, b: string | null | undefined) =>
  a != null && b != null && a.toLowerCase() === b.toLowerCase()
