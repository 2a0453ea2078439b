import { queryOptions } from '@tanstack/react-query'
import { getProfile } from './gen/sdk.gen'
import type { Profile as WireProfile } from './gen/types.gen'
import { toReview } from './review'
import { converter } from './wire'

const convert = converter<WireProfile>()(['member_since'])
const toStats = converter<WireProfile['stats']>()()

const toProfile = (wire: WireProfile) => {
  const { displayName: name, stats, skills = [], reviews, ...same } = convert(wire)
  const { avgRating: averageRating, ...counts } = toStats(stats)
  return { ...same, ...counts, averageRating, name, skills, reviews: reviews.map(toReview) }
}

/**
 * A user's profile, readable by every signed-in user, with the ten latest reviews. `rejectionRate`
 * is the share of rejected tasks among all paid and rejected tasks, from 0 to 1.
 */
export type Profile = ReturnType<typeof toProfile>

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: ['profile', username.toLowerCase()],
    queryFn: async ({ signal }) => toProfile(await getProfile({ path: { username }, signal })),
  })
