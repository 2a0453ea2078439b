import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getTask, listTasks } from './gen/sdk.gen'
import type {
  ListTasksData,
  Finality as WireFinality,
  TaskSort as WireSort,
  TaskStatus as WireStatus,
  Task as WireTask,
} from './gen/types.gen'
import { toBigIntIf, toDate, toDateIf } from './wire'

export type TaskStatus = WireStatus
export type TaskSort = WireSort
export type Finality = WireFinality

/** A task as the caller may see it. Amounts are in wei. */
export interface Task {
  id: string
  agentId: string
  agentUsername: string
  agentWalletAddress: string
  agentIsVerified: boolean
  /** The assigned human. */
  humanId?: string | undefined
  humanUsername?: string | undefined
  humanWalletAddress?: string | undefined
  title: string
  description: string
  skills: string[]
  location?: string | undefined
  remote: boolean
  status: TaskStatus
  escrowAmount: bigint
  feePercent: string
  feeBasisPoints: number
  payoutAmount: bigint
  stakeAmount: bigint
  deadline?: Date | undefined
  termsOnChain: boolean
  escrowAddress: string
  /** The task's number in the escrow contract; absent while nothing is locked. */
  escrowTaskId?: bigint | undefined
  escrowCreationTxHash?: string | undefined
  fundedAt?: Date | undefined
  acceptedAt?: Date | undefined
  submittedAt?: Date | undefined
  submitTxHash?: string | undefined
  /** What was handed in; known once it is on the chain. */
  workHash?: string | undefined
  submissionNote?: string | undefined
  proofUrl?: string | undefined
  disputeDeadline?: Date | undefined
  /** When the chain recorded a dispute. */
  disputedAt?: Date | undefined
  agentApprovedAt?: Date | undefined
  settledAt?: Date | undefined
  settleTxHash?: string | undefined
  cancelledAt?: Date | undefined
  validatorApprovals: number
  validatorRejections: number
  validatorQuorum: number
  applicationCount: number
  hasApplied: boolean
  /** The reader's own application. */
  applicationId?: string | undefined
  finality: Finality
  createdAt: Date
}

export function toTask(wire: WireTask): Task {
  return {
    id: wire.id,
    agentId: wire.agent_id,
    agentUsername: wire.agent_username,
    agentWalletAddress: wire.agent_wallet_address,
    agentIsVerified: wire.agent_is_verified,
    humanId: wire.human_id,
    humanUsername: wire.human_username,
    humanWalletAddress: wire.human_wallet_address,
    title: wire.title,
    description: wire.description,
    skills: wire.skills,
    location: wire.location,
    remote: wire.remote,
    status: wire.status,
    escrowAmount: BigInt(wire.escrow_amount),
    feePercent: wire.fee_percent,
    feeBasisPoints: wire.fee_basis_points,
    payoutAmount: BigInt(wire.payout_amount),
    stakeAmount: BigInt(wire.stake_amount),
    deadline: toDateIf(wire.deadline),
    termsOnChain: wire.terms_on_chain,
    escrowAddress: wire.escrow_address,
    escrowTaskId: toBigIntIf(wire.escrow_task_id),
    escrowCreationTxHash: wire.escrow_creation_tx_hash,
    fundedAt: toDateIf(wire.funded_at),
    acceptedAt: toDateIf(wire.accepted_at),
    submittedAt: toDateIf(wire.submitted_at),
    submitTxHash: wire.submit_tx_hash,
    workHash: wire.work_hash,
    submissionNote: wire.submission_note,
    proofUrl: wire.proof_url,
    disputeDeadline: toDateIf(wire.dispute_deadline),
    disputedAt: toDateIf(wire.disputed_at),
    agentApprovedAt: toDateIf(wire.agent_approved_at),
    settledAt: toDateIf(wire.settled_at),
    settleTxHash: wire.settle_tx_hash,
    cancelledAt: toDateIf(wire.cancelled_at),
    validatorApprovals: wire.validator_approvals,
    validatorRejections: wire.validator_rejections,
    validatorQuorum: wire.validator_quorum,
    applicationCount: wire.application_count,
    hasApplied: wire.has_applied ?? false,
    applicationId: wire.application_id,
    finality: wire.finality,
    createdAt: toDate(wire.created_at),
  }
}

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: async ({ signal }) => toTask(await getTask({ path: { id }, signal })),
  })

/** What to look for on the board. */
export interface BoardSearch {
  q?: string | undefined
  skill?: string | undefined
  location?: string | undefined
  remote?: boolean | undefined
  /** At least this escrow amount, in wei. */
  minAmount?: bigint | undefined
  /** The deadline is after this, or there is none. */
  dueAfter?: Date | undefined
  sort?: TaskSort | undefined
}

function fromBoardSearch({
  minAmount,
  dueAfter,
  ...search
}: BoardSearch): NonNullable<ListTasksData['query']> {
  const given = Object.entries({
    ...search,
    min_amount: minAmount?.toString(),
    due_after: dueAfter?.toISOString(),
  })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The open tasks that match, in pages. Requires a session. */
export const boardSearchQuery = (search: BoardSearch) =>
  infiniteQueryOptions({
    queryKey: ['tasks', 'board', fromBoardSearch(search)],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const page = await listTasks({
        query: { scope: 'board', ...fromBoardSearch(search), ...cursor },
        signal,
      })
      return { tasks: page.tasks.map(toTask), total: page.total, nextCursor: page.next_cursor }
    },
    getNextPageParam: (page) => page.nextCursor,
  })
