import { queryOptions } from '@tanstack/react-query'
import { ApiError } from './error'
import { getHealth } from './gen/sdk.gen'

/**
 * The health of the service: working, working without access to the chain, behind the chain, or
 * unreachable.
 */
export type Health = 'ok' | 'chain unreachable' | 'chain behind' | 'unreachable'

// Polling intervals in ms, during an outage and during normal operation.
const outageInterval = 5_000
const normalInterval = 60_000
// In ms. Longer than the service's own timeout for its dependencies.
const timeout = 4_000

export const healthQuery = queryOptions<Health>({
  queryKey: ['health'],
  retry: false,
  refetchInterval: ({ state }) => (state.data === 'ok' ? normalInterval : outageInterval),
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }): Promise<Health> => {
    try {
      const { status, chain } = await getHealth({
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      })
      if (status === 'ok') return 'ok'
      return chain.head === undefined ? 'chain unreachable' : 'chain behind'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A rate-limited health check (429) is not an outage.
      return error.status === 429 ? 'ok' : 'unreachable'
    }
  },
})
