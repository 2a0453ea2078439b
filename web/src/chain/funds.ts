import { queryOptions } from '@tanstack/react-query'
import type { Contracts } from '@/api/contracts'
import type { AppConfig } from '@/config/app-config'

/** The funds of a wallet, in wei of the token. */
export interface Funds {
  balance: bigint
  /** The failed payments that each contract has credited to this wallet. */
  credits: Credit[]
}

export interface Credit {
  holder: 'escrow' | 'staking'
  amount: bigint
}

// The selectors of balanceOf(address) and withdrawable(address), written by hand to avoid loading
// viem.
const balanceOf = '0x70a08231'
const withdrawable = '0xce513b6f'

/** The funds of a wallet, read from the public node; null if no public node is configured. */
export const fundsQuery = (
  wallet: string,
  contracts: Contracts | undefined,
  app: AppConfig | undefined,
) =>
  queryOptions({
    queryKey: ['funds', wallet],
    enabled: contracts !== undefined && app !== undefined,
    queryFn: async ({ signal }): Promise<Funds | null> => {
      const rpcUrl = app?.rpcUrl
      if (!rpcUrl || !contracts) return null
      const read = (to: string, call: string) => readAmount(rpcUrl, to, call, wallet, signal)
      const [balance, escrow, staking] = await Promise.all([
        read(contracts.token.address, balanceOf),
        read(contracts.escrowAddress, withdrawable),
        read(contracts.applicationStakingAddress, withdrawable),
      ])
      return {
        balance,
        credits: [
          { holder: 'escrow', amount: escrow },
          { holder: 'staking', amount: staking },
        ],
      }
    },
  })

// In ms: the timeout for requests to the node.
const timeout = 8_000

async function readAmount(
  rpcUrl: string,
  to: string,
  call: string,
  wallet: string,
  signal: AbortSignal,
): Promise<bigint> {
  const data = call + wallet.slice(2).toLowerCase().padStart(64, '0')
  const response = await fetch(rpcUrl, {
    method: 'POST',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to, data }, 'latest'],
    }),
  })
  const { result } = (await response.json()) as { result?: string }
  if (!result) throw new Error('the node returned no result')
  return BigInt(result)
}
