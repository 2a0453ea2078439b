import { infiniteQueryOptions } from '@tanstack/react-query'
import { listValidations, postVerdict } from './gen/sdk.gen'
import type { TypedData as WireTypedData, Validation as WireValidation } from './gen/types.gen'
import { toDate } from './wire'

export type TypedData = WireTypedData

/** A task that waits for verdicts of the reader's panel. */
export interface Validation {
  taskId: string
  title: string
  /** 0 for a review, 1 for a dispute. */
  round: number
  opensAt: Date
  closesAt: Date
  approvals: number
  rejections: number
  quorum: number
  /** The reader's own verdict. */
  mine?: { approved: boolean; reason: string } | undefined
  /** What the server wants signed for either verdict. Never signed unseen: see chain/verdict.ts. */
  typedData: { approve: TypedData; reject: TypedData }
}

function toValidation(wire: WireValidation): Validation {
  return {
    taskId: wire.task_id,
    title: wire.title,
    round: wire.round,
    opensAt: toDate(wire.opens_at),
    closesAt: toDate(wire.closes_at),
    approvals: wire.approvals,
    rejections: wire.rejections,
    quorum: wire.quorum,
    mine: wire.mine && { approved: wire.mine.approved, reason: wire.mine.reason },
    typedData: wire.typed_data,
  }
}

/**
 * The tasks that need a verdict, the nearest end first, in pages. For present and past validators.
 */
export const validationsQuery = infiniteQueryOptions({
  queryKey: ['validations'],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ signal, pageParam }) => {
    const query = pageParam === undefined ? {} : { cursor: pageParam }
    const page = await listValidations({ query, signal })
    return {
      validations: page.validations.map(toValidation),
      total: page.total,
      nextCursor: page.next_cursor,
    }
  },
  getNextPageParam: (page) => page.nextCursor,
})

/** What a validator decides about a task. */
export interface Given {
  approved: boolean
  reason: string
}

/** Hands in a verdict, once and for good. */
export async function giveVerdict(taskId: string, given: Given, signature: string) {
  await postVerdict({ path: { id: taskId }, body: { ...given, signature } })
}
