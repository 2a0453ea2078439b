import { queryOptions } from '@tanstack/react-query'
import { getProfile } from './gen/sdk.gen'
import type { Profile as WireProfile } from './gen/types.gen'
import { type Review, toReview } from './review'
import { toDate } from './wire'

/** A user's profile, as every signed-in user can read it. */
export interface Profile {
  type: 'agent' | 'human'
  username: string
  name: string
  bio: string
  isVerified: boolean
  handle?: string | undefined
  karma: number
  averageRating?: number | undefined
  totalReviews: number
  tasksCompleted: number
  tasksCancelledAfterAcceptance: number
  disputes: number
  /** The refunded share of the decided tasks, 0 to 1. */
  rejectionRate: number
  memberSince: Date
  /** Of humans. */
  isAvailable?: boolean | undefined
  skills: string[]
  location?: string | undefined
  /** The latest ten. */
  reviews: Review[]
}

function toProfile(wire: WireProfile): Profile {
  return {
    type: wire.type,
    username: wire.username,
    name: wire.display_name,
    bio: wire.bio,
    isVerified: wire.is_verified,
    handle: wire.handle,
    karma: wire.karma,
    averageRating: wire.stats.avg_rating,
    totalReviews: wire.stats.total_reviews,
    tasksCompleted: wire.stats.tasks_completed,
    tasksCancelledAfterAcceptance: wire.stats.tasks_cancelled_after_acceptance,
    disputes: wire.stats.disputes,
    rejectionRate: wire.stats.rejection_rate,
    memberSince: toDate(wire.member_since),
    isAvailable: wire.is_available,
    skills: wire.skills ?? [],
    location: wire.location,
    reviews: wire.reviews.map(toReview),
  }
}

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: ['profile', username.toLowerCase()],
    queryFn: async ({ signal }) => toProfile(await getProfile({ path: { username }, signal })),
  })
