import { queryOptions } from '@tanstack/react-query'
import { listVerdicts } from './gen/sdk.gen'
import type { Verdict as WireVerdict } from './gen/types.gen'
import { converter } from './wire'

const toVerdict = converter<WireVerdict>()(['created_at'])

// A panel has at most 32 validators, and each gives one verdict in each of two rounds.
const query = { page_size: 64 }

/**
 * The verdicts that the reader can see. The parties see none before the decision and all after it.
 */
export const verdictsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'verdicts'],
    queryFn: async ({ signal }) => {
      const { verdicts } = await listVerdicts({ path: { id: taskId }, query, signal })
      return verdicts.map(toVerdict)
    },
  })
