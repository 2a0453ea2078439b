import { serverNow } from '@/lib/now'
import { getSession, listActivity } from './gen/sdk.gen'
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

// In ms. The event log contains at least this time.
const logged = 7 * 86_400_000

/**
 * Reads what is new after the event log no longer contains the last position: the current position
 * and the ids of the feed's items from the time that the log contains.
 */
export async function readMissed() {
  const { events_after: position } = await getSession()
  const after = new Date(serverNow().getTime() - logged).toISOString()
  const { activities } = await listActivity({ query: { page_size: 100, after } })
  return { position, items: activities.map(({ id }) => id).reverse() }
}
