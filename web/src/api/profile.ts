import { queryOptions } from '@tanstack/react-query'
import { getProfile } from './gen/sdk.gen'
import type { Profile as WireProfile } from './gen/types.gen'
import { toReview } from './review'
import { converter } from './wire'

const convert = converter<WireProfile>()(['member_since'])
const toStats = converter<WireProfile['stats']>()()

const toProfile = (wire: WireProfile) => {
  const { displayName: name, stats, skills = [], reviews, ...same } = convert(wire)
  const { avgRating: averageRating, rejectionRate: rate, ...counts } = toStats(stats)
  // The rate is 0 also if nothing was decided yet.
  const rejectionRate = rate === 0 && counts.tasksCompleted === 0 ? undefined : rate
  return {
    ...same,
    ...counts,
    averageRating,
    rejectionRate,
    name,
    skills,
    reviews: reviews.map(toReview),
  }
}

/**
 * A user's profile, readable by every signed-in user, with the ten latest reviews. `rejectionRate`
 * is the share of rejected tasks among the completed and rejected ones, from 0 to 1; undefined if there are none.
 */
export type Profile = ReturnType<typeof toProfile>

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: ['profile', username.toLowerCase()],
    queryFn: async ({ signal }) => toProfile(await getProfile({ path: { username }, signal })),
  })
