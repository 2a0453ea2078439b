import { queryOptions } from '@tanstack/react-query'
import { ApiError } from './error'
import { getHealth } from './gen/sdk.gen'

/**
 * What the service can do at present: everything; everything but what needs the chain, which it
 * does not reach or has not followed to its end; nothing.
 */
export type Health = 'well' | 'chain away' | 'chain behind' | 'away'

const often = 5_000
const seldom = 60_000
// In ms. The service itself waits less than this for what it depends on.
const patience = 4_000

/** Asked again sooner while something is wrong. */
export const healthQuery = queryOptions<Health>({
  queryKey: ['health'],
  retry: false,
  refetchInterval: ({ state }) => (state.data === 'well' ? seldom : often),
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }): Promise<Health> => {
    try {
      const { status, chain } = await getHealth({
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      })
      if (status === 'ok') return 'well'
      return chain.head === undefined ? 'chain away' : 'chain behind'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Too many questions are no illness.
      return error.status === 429 ? 'well' : 'away'
    }
  },
})
