import { queryOptions } from '@tanstack/react-query'

/** What the server tells this app beside the API. */
export interface AppConfig {
  /** The chain as people know it. */
  chainName: string
  currency: { name: string; symbol: string; decimals: number }
  /** A node that browsers may ask. Without one, only the wallet's own is asked. */
  rpcUrl?: string
  /** Where a development world gives out funds. Only there is a wallet without consent offered. */
  faucetPath?: string
  /** The social networks whose accounts can be linked; a text is appended to `composeUrl`, escaped. */
  networks?: { name: string; composeUrl: string }[]
}

export const appConfigQuery = queryOptions({
  queryKey: ['app-config'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<AppConfig> => {
    const response = await fetch('/app.json', { signal })
    if (!response.ok) throw new Error(`/app.json answered with status ${response.status}`)
    return (await response.json()) as AppConfig
  },
})
