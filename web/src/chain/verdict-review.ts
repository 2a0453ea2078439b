import type { QueryClient } from '@tanstack/react-query'
import { contractsQuery } from '@/api/contracts'
import { type Task, taskQuery } from '@/api/task'
import { type Decision, type Validation, validationsQuery } from '@/api/validation'
import { appConfigQuery } from '@/config/app-config'
import { messages } from '@/messages/chain'
import { TransactionFault } from './errors'
import { contractRefusal } from './refusal'
import { isSameVerdict, type VerdictData, verdictData } from './verdict'

/** A verdict to be signed. It is displayed before any request to the wallet. */
export interface VerdictReview {
  decision: Decision
  title: string
  round: number
  verdict: VerdictData
  chain: { id: number; name: string }
}

/** Reads the task and its round again, and builds the verdict if neither has changed. */
export async function makeVerdictReview(
  queries: QueryClient,
  reviewed: { task: Task; validation: Validation },
  decision: Decision,
): Promise<VerdictReview> {
  const { id } = reviewed.task
  const [contracts, app, task] = await Promise.all([
    queries.ensureQueryData(contractsQuery),
    queries.ensureQueryData(appConfigQuery),
    queries.fetchQuery({ ...taskQuery(id), staleTime: 0 }),
    queries.refetchQueries({ queryKey: validationsQuery.queryKey }, { throwOnError: true }),
  ])
  const validation = queries
    .getQueryData(validationsQuery.queryKey)
    ?.pages.flatMap(({ items }) => items)
    .find(({ taskId }) => taskId === id)
  const now = stillOpen(reviewed, { task, validation })
  checkChoice(task, decision)
  const verdict = verdictData(contracts, task, now.round, decision.approved)
  if (!isSameVerdict(verdict, now.typedData[decision.approved ? 'approve' : 'reject'])) {
    throw new TransactionFault(messages.otherVerdict, messages.doNotSign)
  }
  return {
    decision,
    title: task.title,
    round: now.round,
    verdict,
    chain: { id: contracts.chainId, name: app.chainName },
  }
}

/**
 * Returns the current round. Throws if the task is decided, the vote has closed, the validator has voted,
 * or the round or the work differs from the displayed one.
 */
export function stillOpen(
  reviewed: { task: Pick<Task, 'workHash'>; validation: Pick<Validation, 'round'> },
  now: { task: Pick<Task, 'status' | 'workHash'>; validation: Validation | undefined },
): Validation {
  const { validation, task } = now
  if (!validation) {
    if (task.status === 'approved' || task.status === 'rejected')
      throw new TransactionFault(messages.decided, messages.nothingSigned)
    throw contractRefusal('ReviewClosed')
  }
  if (validation.mine) throw new TransactionFault(messages.voted.title, messages.voted.hint)
  if (validation.round !== reviewed.validation.round || task.workHash !== reviewed.task.workHash) {
    throw new TransactionFault(messages.moved.title, messages.moved.hint)
  }
  return validation
}

/** Throws if the contract would reject the verdict. */
export function checkChoice(task: Pick<Task, 'agentApprovedAt'>, { approved }: Decision) {
  if (!approved && task.agentApprovedAt) throw contractRefusal('AgentHasApproved')
}
