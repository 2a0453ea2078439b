import { queryOptions } from '@tanstack/react-query'
import { listVerdicts } from './gen/sdk.gen'
import type { Verdict as WireVerdict } from './gen/types.gen'
import { toDate } from './wire'

/** A validator's word on a task. */
export interface Verdict {
  id: string
  validatorUsername: string
  approved: boolean
  reason: string
  createdAt: Date
}

function toVerdict(wire: WireVerdict): Verdict {
  return {
    id: wire.id,
    validatorUsername: wire.validator_username,
    approved: wire.approved,
    reason: wire.reason,
    createdAt: toDate(wire.created_at),
  }
}

// A panel has at most 32 validators, and each gives one verdict in each of two rounds.
const page_size = 64

/** The verdicts that the reader may see: the parties see all once it is decided, and none before. */
export const verdictsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'verdicts'],
    queryFn: async ({ signal }) => {
      const { verdicts } = await listVerdicts({
        path: { id: taskId },
        query: { page_size },
        signal,
      })
      return verdicts.map(toVerdict)
    },
  })
