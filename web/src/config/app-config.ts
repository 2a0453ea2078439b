import { queryOptions } from '@tanstack/react-query'
import { toApiError } from '@/api/error'
import { send } from '@/api/send'

/** Settings that the server gives to this app in `/app.json`, outside the API. */
export interface AppConfig {
  /** The chain's display name. */
  chainName: string
  currency: { name: string; symbol: string; decimals: number }
  /** The URL of a public node. If it is absent, only the wallet's own node is used. */
  rpcUrl?: string
  /**
   * The path of the faucet in a development environment. Without it, the development wallet is not
   * offered.
   */
  faucetPath?: string
  /**
   * The social networks whose accounts can be linked. The text of the post is URL-encoded and
   * appended to `composeUrl`.
   */
  networks?: { name: string; composeUrl: string }[]
}

export const appConfigQuery = queryOptions({
  queryKey: ['app-config'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<AppConfig> => {
    let response: Response | undefined
    try {
      response = await send('/app.json', { signal })
      if (response.ok) return (await response.json()) as AppConfig
    } catch (error) {
      throw toApiError(error, undefined)
    }
    throw toApiError(undefined, response)
  },
})
