import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from './error'
import { answerDispute, disputeTask, getDispute } from './gen/sdk.gen'
import type {
  Dispute as WireDispute,
  DisputeOutcome as WireOutcome,
  Party as WireParty,
  DisputeStatus as WireStatus,
} from './gen/types.gen'
import type { Proposal } from './proposal'
import { toDate, toDateIf } from './wire'

export type DisputeStatus = WireStatus
export type Party = WireParty

/** A disagreement about work that was handed in, which validators decide. */
export interface Dispute {
  filedBy: Party
  /** Empty where it was filed without the service. */
  reason: string
  /** What the other side says to it. */
  response?: string | undefined
  status: DisputeStatus
  outcome?: WireOutcome | undefined
  /** When the present status ends. */
  deadline: Date
  createdAt: Date
  resolvedAt?: Date | undefined
}

function toDispute(wire: WireDispute): Dispute {
  return {
    filedBy: wire.filed_by_agent ? 'agent' : 'human',
    reason: wire.reason,
    response: wire.human_response ?? wire.agent_response,
    status: wire.status,
    outcome: wire.outcome,
    deadline: toDate(wire.deadline),
    createdAt: toDate(wire.created_at),
    resolvedAt: toDateIf(wire.resolved_at),
  }
}

/** The dispute about a task; null where there is none. */
export const disputeQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'dispute'],
    queryFn: async ({ signal }): Promise<Dispute | null> => {
      try {
        return toDispute(await getDispute({ path: { id: taskId }, signal }))
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** Records a dispute of the reader. It is filed once the chain has it. */
export async function recordDispute(taskId: string, reason: string): Promise<Proposal> {
  const made = await disputeTask({ path: { id: taskId }, body: { reason } })
  return {
    to: made.to,
    chainId: made.chain_id,
    value: made.value,
    data: made.dispute_task_calldata,
  }
}

/** Answers the other side's dispute, once. */
export function useAnswerDispute(taskId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (response: string) =>
      toDispute(await answerDispute({ path: { id: taskId }, body: { response } })),
    onSuccess: async (dispute) => {
      queries.setQueryData(disputeQuery(taskId).queryKey, dispute)
      await queries.invalidateQueries({ queryKey: ['task', taskId, 'next'] })
    },
  })
}
