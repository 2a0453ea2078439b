import { queryOptions, useQuery } from '@tanstack/react-query'
import { getContractsConfig } from './gen/sdk.gen'
import type { ContractsConfig } from './gen/types.gen'

/** The chain, the contracts and the rules in force. Times are in seconds, amounts in wei. */
export interface Contracts {
  chainId: number
  token: { address: string; name: string; symbol: string }
  escrowAddress: string
  applicationStakingAddress: string
  treasuryAddress: string
  feePercent: string
  feeBasisPoints: number
  minimumEscrow: bigint
  stake: { basisPoints: number; minimum: bigint; maximum: bigint; lifetime: number }
  windows: ContractsConfig['windows']
  panelSize: number
  quorum: number
  explorerUrl?: string | undefined
}

function toContracts(wire: ContractsConfig): Contracts {
  return {
    chainId: wire.chain_id,
    token: wire.token,
    escrowAddress: wire.escrow_address,
    applicationStakingAddress: wire.application_staking_address,
    treasuryAddress: wire.treasury_address,
    feePercent: wire.fee_percent,
    feeBasisPoints: wire.fee_basis_points,
    minimumEscrow: BigInt(wire.minimum_escrow),
    stake: {
      basisPoints: wire.stake.basis_points,
      minimum: BigInt(wire.stake.minimum),
      maximum: BigInt(wire.stake.maximum),
      lifetime: wire.stake.lifetime_seconds,
    },
    windows: wire.windows,
    panelSize: wire.panel_size,
    quorum: wire.quorum,
    explorerUrl: wire.explorer_url,
  }
}

export const contractsQuery = queryOptions({
  queryKey: ['contracts'],
  staleTime: 10 * 60_000,
  queryFn: async ({ signal }) => toContracts(await getContractsConfig({ signal })),
})

export function useContracts(): Contracts | undefined {
  return useQuery(contractsQuery).data
}

/** Where the explorer shows a transaction; undefined without an explorer. */
export function transactionUrl(contracts: Contracts | undefined, hash: string): string | undefined {
  return contracts?.explorerUrl && `${contracts.explorerUrl.replace(/\/$/, '')}/tx/${hash}`
}
