import { queryOptions, useQuery } from '@tanstack/react-query'
import { getContractsConfig } from './gen/sdk.gen'
import type { ContractsConfig } from './gen/types.gen'
import { converter } from './wire'

const convert = converter<ContractsConfig>()([], ['minimum_escrow'])
const toStake = converter<ContractsConfig['stake']>()([], ['minimum', 'maximum'])

const toContracts = (wire: ContractsConfig) => ({ ...convert(wire), stake: toStake(wire.stake) })

/** The chain, the contracts and the current market rules. Times are in seconds, amounts in wei. */
export type Contracts = ReturnType<typeof toContracts>

export const contractsQuery = queryOptions({
  queryKey: ['contracts'],
  staleTime: 10 * 60_000,
  queryFn: async ({ signal }) => toContracts(await getContractsConfig({ signal })),
})

export const useContracts = (): Contracts | undefined => useQuery(contractsQuery).data

/** The token's symbol; empty until the contracts' data has loaded. */
export const useSymbol = (): string => useContracts()?.token.symbol ?? ''

/** The URL of a transaction in the block explorer; undefined if no explorer is configured. */
export function transactionUrl(contracts: Contracts | undefined, hash: string): string | undefined {
  return contracts?.explorerUrl && `${contracts.explorerUrl.replace(/\/$/, '')}/tx/${hash}`
}
