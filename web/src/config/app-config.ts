import { queryOptions } from '@tanstack/react-query'
import { toApiError } from '@/api/error'
import { send } from '@/api/send'

/** Settings that the server passes to this app in addition to the API. */
export interface AppConfig {
  /** The display name of the chain. */
  chainName: string
  currency: { name: string; symbol: string; decimals: number }
  /** The URL of a public node. Without one, only the wallet's own node is used. */
  rpcUrl?: string
  /**
   * The faucet of a development environment. The development wallet is offered only with a faucet.
   */
  faucetPath?: string
  /** The social networks whose accounts can be linked; a text is appended to `composeUrl`, escaped. */
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
