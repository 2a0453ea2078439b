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

/** The recipient and data of a transaction request. */
export interface Target {
  to: Hex
  data: Hex
}

/** The fields of a block and its transactions that the app uses. */
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

/** Access to the chain. Reads use our node; the wallet signs transactions. */
export interface Node {
  /** Sends a request to the node. */
  ask<T>(method: string, ...params: unknown[]): Promise<T>
  /** The id of the chain on which the contracts are deployed. */
  readonly chainId: number
  /** Sends a request to the wallet that needs no confirmation by the user. */
  askWallet<T>(method: string, ...params: unknown[]): Promise<T>
  /**
   * Reads the account and the chain from the wallet again, because earlier values may be outdated.
   * Throws WalletMismatch if the wallet is on another account or chain.
   */
  checkWallet(account: string): Promise<void>
  /** Calls `checkWallet`, then sends a request that the user must confirm in the wallet. */
  askPerson<T>(account: string, method: string, ...params: unknown[]): Promise<T>
  addressOf(contract: ContractName): Hex
  targetOf(call: AnyCall): Target
  read(read: AnyCall): Promise<unknown>
  /** Simulates a call. If it reverts, throws the contract's error as a sentence. */
  attempt(from: string, target: Target): Promise<void>
}

/** Any function of the contracts. Callers use the narrower types in `intent.ts`. */
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
      request(call: { method: string; params: unknown[] }): Promise<unknown>
    }
    return (await provider.request({ method, params })) as T
  }
  const addressOf = (contract: ContractName) => addresses[contract] as Hex
  const targetOf = ({ contract, name, args }: AnyCall): Target => ({
    to: addressOf(contract),
    data: encodeFunctionData({ abi: abis[contract], functionName: name, args } as never),
  })

  const checkWallet = async (account: string) => {
    const connection = await readConnection(config)
    if (!same(connection.accounts[0], account)) throw new WalletMismatch('wallet')
    if (connection.chainId !== chainId) throw new WalletMismatch('network')
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

/** Extracts the contract's error from a node or wallet error; undefined if there is none. */
export function refusalOf(error: unknown): ContractRefusal | undefined {
  for (const each of causesOf(error)) {
    // Some nodes and wallets nest the data; causesOf reads those levels too.
    const data = 'data' in each && isHex(each.data) ? each.data : undefined
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

/**
 * Finds an account's transaction by its nonce, with a binary search over blocks: if the transaction
 * counts at two blocks differ, the nonce was used between them. Returns undefined if the last two blocks
 * of the search do not contain it. Rejects if the node has pruned the state of a block.
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

/** Returns the number of transactions that an account has sent up to a block. */
export async function countOf(node: Node, account: string, block: string): Promise<number> {
  return Number(await node.ask<Hex>('eth_getTransactionCount', account, block))
}

/** Whether two hex strings are equal, ignoring case. */
export const same = (a: string | null | undefined, b: string | null | undefined) =>
  a != null && b != null && a.toLowerCase() === b.toLowerCase()
