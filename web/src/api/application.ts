import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { applyForTask, listHumanApplications, withdrawApplication } from './gen/sdk.gen'
import type { Application as WireApplication } from './gen/types.gen'
import { listQuery, type PageParams, readAll, toPage } from './list'
import { type Proposal, toProposal } from './proposal'
import { converter } from './wire'

const convert = converter<WireApplication>()(
  ['expires_at', 'created_at'],
  ['stake_amount', 'onchain_application_id'],
)

const toApplication = (wire: WireApplication) => {
  const { applicationMessage: message, onchainApplicationId: stakeId, ...same } = convert(wire)
  return { ...same, message, stakeId }
}

/**
 * An application with the fields that its applicant can read. Amounts are in wei. `stakeId` is the
 * stake's id in the staking contract, absent until the server has found the stake on the chain;
 * `expiresAt` is when the stake unlocks without a decision.
 */
export type Application = ReturnType<typeof toApplication>

async function readApplications(query: PageParams, signal: AbortSignal) {
  const page = await listHumanApplications({ query, signal })
  return toPage(page, page.applications.map(toApplication))
}

/** The signed-in human's applications, newest first, in pages. */
export const myApplicationsQuery = listQuery(['tasks', 'applications'], 100, readApplications)

/** Reads all applications of the signed-in human, newest first. */
export const readAllApplications = (signal: AbortSignal) =>
  readAll((params) => readApplications(params, signal))

/** The signed-in human's applications to one task, newest first. */
export const myTaskApplicationsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'own applications'],
    queryFn: async ({ signal }) =>
      (await readAllApplications(signal)).filter((each) => each.taskId === taskId),
  })

/** Records an application. It becomes effective once its stake is locked. */
export async function recordApplication(
  queries: QueryClient,
  taskId: string,
  message: string,
): Promise<Proposal> {
  const created = await applyForTask({
    path: { id: taskId },
    body: { application_message: message },
  })
  void queries.invalidateQueries({ queryKey: ['task', taskId] })
  return toProposal({ ...created, to: created.staking_address, value: '0' }, created.lock_calldata)
}

/**
 * Withdraws an application and requests the proposed call that returns its stake. Returns undefined
 * if there is no stake to withdraw, because none was locked or it was already returned.
 */
export async function requestWithdrawal(
  queries: QueryClient,
  { id, taskId }: Application,
): Promise<Proposal | undefined> {
  const response = await withdrawApplication({ path: { id: taskId, appId: id } })
  void queries.invalidateQueries({ queryKey: ['task', taskId] })
  const { to, chain_id, value, withdraw_stake_calldata: data } = response
  if (response.already_done || !to || !chain_id || value === undefined || !data) return undefined
  return toProposal({ to, chain_id, value }, data)
}
