import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listActivity } from './gen/sdk.gen'
import type {
  Activity as WireActivity,
  ActivityStatus as WireStatus,
  ActivityType as WireType,
} from './gen/types.gen'
import { toDate } from './wire'

export type ActivityType = WireType
export type ActivityStatus = WireStatus

/** Something that happened to the reader's tasks, money and messages. */
export interface Activity {
  id: string
  type: ActivityType
  title: string
  description: string
  /** In wei; undefined where no money moved. */
  amount?: bigint | undefined
  txHash?: string | undefined
  relatedId?: string | undefined
  status: ActivityStatus
  createdAt: Date
}

const toActivity = (wire: WireActivity): Activity => ({
  id: wire.id,
  type: wire.event_type,
  title: wire.title,
  description: wire.description,
  amount: wire.amount === undefined ? undefined : BigInt(wire.amount),
  txHash: wire.tx_hash,
  relatedId: wire.related_id,
  status: wire.status,
  createdAt: toDate(wire.created_at),
})

/** What to show of the feed. Times are exclusive. */
export interface ActivityFilter {
  type?: ActivityType | undefined
  after?: Date | undefined
  before?: Date | undefined
}

const fromFilter = ({ type, after, before }: ActivityFilter) => ({
  ...(type ? { type } : {}),
  ...(after ? { after: after.toISOString() } : {}),
  ...(before ? { before: before.toISOString() } : {}),
})

/** The reader's feed, newest first, in pages. */
export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'list', fromFilter(filter)],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const query = { page_size: 20, ...fromFilter(filter), ...cursor }
      const page = await listActivity({ query, signal })
      return {
        activities: page.activities.map(toActivity),
        total: page.total,
        nextCursor: page.next_cursor,
      }
    },
    getNextPageParam: (page) => page.nextCursor,
  })

/** How much happened after a time. */
export const unseenQuery = (since: Date) =>
  queryOptions({
    queryKey: ['activity', 'unseen', since.toISOString()],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      (await listActivity({ query: { page_size: 1, after: since.toISOString() }, signal })).total,
  })
