import { queryOptions } from '@tanstack/react-query'
import type { Contracts } from '@/api/contracts'
import type { AppConfig } from '@/config/app-config'

/** What a wallet has, in wei of the token. */
export interface Funds {
  balance: bigint
  /** What each contract could not pay out and keeps for this wallet. */
  credits: Credit[]
}

export interface Credit {
  holder: 'escrow' | 'staking'
  amount: bigint
}

// The first four bytes of the calls' hashes: balanceOf(address), withdrawable(address). That is
// little enough to do without the library that the wallet's chunk has.
const balanceOf = '0x70a08231'
const withdrawable = '0xce513b6f'

/** What a wallet has, by the node that browsers may ask; null where there is none to ask. */
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

// In ms; after that the node is away.
const patience = 8_000

async function readAmount(
  rpcUrl: string,
  to: string,
  call: string,
  wallet: string,
  signal: AbortSignal,
): Promise<bigint> {
  const data = call + wallet.slice(2).toLowerCase().padStart(64, '0')
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to, data }, 'latest'],
    }),
  })
  const { result } = (await answer.json()) as { result?: string }
  if (!result) throw new Error('the node did not answer')
  return BigInt(result)
}
