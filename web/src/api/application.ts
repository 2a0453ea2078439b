import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { applyForTask, listHumanApplications, withdrawApplication } from './gen/sdk.gen'
import type {
  Application as WireApplication,
  ApplicationStatus as WireStatus,
} from './gen/types.gen'
import type { Proposal } from './proposal'
import { toBigIntIf, toDate, toDateIf } from './wire'

export type ApplicationStatus = WireStatus

/** An application as its human sees it. Amounts are in wei. */
export interface Application {
  id: string
  taskId: string
  message: string
  status: ApplicationStatus
  stakeAmount: bigint
  /** Its number in the staking contract; absent while no stake was seen. */
  stakeId?: bigint | undefined
  stakeTxHash?: string | undefined
  /** When the stake unlocks without a decision. */
  expiresAt?: Date | undefined
  /** What the agent says to its rejection. */
  rejectionReason?: string | undefined
  createdAt: Date
}

export function toApplication(wire: WireApplication): Application {
  return {
    id: wire.id,
    taskId: wire.task_id,
    message: wire.application_message,
    status: wire.status,
    stakeAmount: BigInt(wire.stake_amount),
    stakeId: toBigIntIf(wire.onchain_application_id),
    stakeTxHash: wire.stake_tx_hash,
    expiresAt: toDateIf(wire.expires_at),
    rejectionReason: wire.rejection_reason,
    createdAt: toDate(wire.created_at),
  }
}

const pageSize = 100

/** The reader's own applications for one task, newest first. */
export const ownApplicationsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'own applications'],
    queryFn: async ({ signal }) => {
      const own: Application[] = []
      let cursor: string | undefined
      do {
        const page = await listHumanApplications({
          query: { page_size: pageSize, ...(cursor === undefined ? {} : { cursor }) },
          signal,
        })
        own.push(...page.applications.map(toApplication).filter((each) => each.taskId === taskId))
        cursor = page.next_cursor
      } while (cursor !== undefined)
      return own
    },
  })

/** Records an application. It counts once its stake is locked. */
export async function recordApplication(
  queries: QueryClient,
  taskId: string,
  message: string,
): Promise<{ application: Application; proposal: Proposal }> {
  const made = await applyForTask({ path: { id: taskId }, body: { application_message: message } })
  void queries.invalidateQueries({ queryKey: ['task', taskId] })
  return {
    application: toApplication(made.application),
    proposal: {
      to: made.staking_address,
      chainId: made.chain_id,
      value: '0',
      data: made.lock_calldata,
    },
  }
}

/**
 * Asks for an application and its stake back. One without a stake is withdrawn by this alone, and
 * there is no call; so it is where the chain shows the stake is back already.
 */
export async function askToWithdraw(
  queries: QueryClient,
  { id, taskId }: Application,
): Promise<Proposal | undefined> {
  const answer = await withdrawApplication({ path: { id: taskId, appId: id } })
  void queries.invalidateQueries({ queryKey: ['task', taskId] })
  const { to, chain_id: chainId, value, withdraw_stake_calldata: data } = answer
  if (answer.already_done || !to || !chainId || value === undefined || !data) return undefined
  return { to, chainId, value, data }
}
