import { queryOptions } from '@tanstack/react-query'
import { listVerdicts } from './gen/sdk.gen'
import type { Verdict as WireVerdict } from './gen/types.gen'
import { converter } from './wire'

const toVerdict = converter<WireVerdict>()(['created_at'])

// A panel has at most 32 validators, and each can give one verdict in each of two rounds.
const query = { page_size: 64 }

/**
 * The verdicts that the signed-in user may read. The parties to the task can read none before the
 * decision and all of them afterwards.
 */
export const verdictsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'verdicts'],
    queryFn: async ({ signal }) => {
      const { verdicts } = await listVerdicts({ path: { id: taskId }, query, signal })
      return verdicts.map(toVerdict)
    },
  })
