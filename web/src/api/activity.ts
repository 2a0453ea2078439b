import { queryOptions } from '@tanstack/react-query'
import { listActivity } from './gen/sdk.gen'
import type { ActivityTypeInput, Activity as WireActivity } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

const toActivity = converter<WireActivity>()(['created_at'], ['amount'])

/** An event in the signed-in human's activity feed, about a task, a payment or a message. */
export type Activity = ReturnType<typeof toActivity>

/** The feed's filters. Only events later than `after` match. */
export interface ActivityFilter {
  type?: ActivityTypeInput | undefined
  after?: Date | undefined
}

const fromFilter = ({ type, after }: ActivityFilter) => ({
  ...(type ? { type } : {}),
  ...(after ? { after: after.toISOString() } : {}),
})

/** The signed-in human's activity feed, newest event first, in pages. */
export const activityQuery = (filter: ActivityFilter) =>
  listQuery(['activity', 'list', fromFilter(filter)], 20, async (params, signal) => {
    const page = await listActivity({ query: { ...params, ...fromFilter(filter) }, signal })
    return toPage(page, page.activities.map(toActivity))
  })

/** The number of events after the given time. */
export const unseenQuery = (since: Date) =>
  queryOptions({
    queryKey: ['activity', 'unseen', since.toISOString()],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      (await listActivity({ query: { page_size: 1, after: since.toISOString() }, signal })).total,
  })
