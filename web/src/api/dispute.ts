import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isStatus } from './error'
import { answerDispute, disputeTask, getDispute } from './gen/sdk.gen'
import type { Dispute as WireDispute } from './gen/types.gen'
import { toProposal } from './proposal'
import { converter } from './wire'

const convert = converter<WireDispute>()(['deadline', 'created_at', 'resolved_at'])

const toDispute = (wire: WireDispute) => ({
  ...convert(wire),
  filedBy: (wire.filed_by_agent ? 'agent' : 'human') as 'agent' | 'human',
  response: wire.human_response ?? wire.agent_response,
})

/**
 * A dispute about submitted work, which validators decide. `reason` is empty if the dispute was
 * opened directly on the contract; `deadline` is when the current status ends.
 */
export type Dispute = ReturnType<typeof toDispute>

/** The party that can still answer the dispute; undefined if none can. */
export function answererOf(
  { status, filedBy, deadline }: Pick<Dispute, 'status' | 'filedBy' | 'deadline'>,
  now: Date,
): Dispute['filedBy'] | undefined {
  if (status !== 'open' || deadline <= now) return undefined
  return filedBy === 'agent' ? 'human' : 'agent'
}

/**
 * The time from which validators can vote. The agent's own dispute opens the vote at once. After the human's,
 * the agent keeps its time to respond to the work.
 */
export function votingOpensAt(
  { filedBy, createdAt }: Pick<Dispute, 'filedBy' | 'createdAt'>,
  { disputeDeadline }: { disputeDeadline?: Date | undefined },
): Date {
  return filedBy === 'human' && disputeDeadline ? disputeDeadline : createdAt
}

/** The dispute about a task; null if the task has none. */
export const disputeQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'dispute'],
    queryFn: async ({ signal }): Promise<Dispute | null> => {
      try {
        return toDispute(await getDispute({ path: { id: taskId }, signal }))
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
  })

/** Records a dispute by the signed-in human. It is open once its transaction is on the chain. */
export async function recordDispute(taskId: string, reason: string) {
  const created = await disputeTask({ path: { id: taskId }, body: { reason } })
  return toProposal(created, created.dispute_task_calldata)
}

/** Submits the answer to the other party's dispute. Each dispute accepts only one answer. */
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
