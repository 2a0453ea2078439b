import { queryOptions } from '@tanstack/react-query'
import { ApiError } from './error'
import { getHealth } from './gen/sdk.gen'
import type { Health as Report } from './gen/types.gen'

/**
 * The health of the service: working, working without access to the chain, behind the chain, working
 * with another fault, such as little disk space, or unreachable.
 */
export type Health = 'ok' | 'chain unreachable' | 'chain behind' | 'limited' | 'unreachable'

/** Returns the health that a response reports. */
export function healthOf({ status, reasons, chain }: Report): Health {
  if (status === 'ok') return 'ok'
  if (chain.head === undefined) return 'chain unreachable'
  return reasons.includes('chain_lagging') ? 'chain behind' : 'limited'
}

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
      return healthOf(
        await getHealth({ signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) }),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A rate-limited health check (429) is not an outage.
      return error.status === 429 ? 'ok' : 'unreachable'
    }
  },
})
