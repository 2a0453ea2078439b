import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listAgentReviews, listHumanReviews, reviewTask } from './gen/sdk.gen'
import type { Review as WireReview } from './gen/types.gen'
import { toDate } from './wire'

/** What one side of a task said about the other after its end. */
export interface Review {
  id: string
  taskId: string
  reviewerType: 'agent' | 'human'
  reviewerUsername: string
  subjectType: 'agent' | 'human'
  subjectId: string
  /** 1 to 5. */
  rating: number
  comment?: string | undefined
  createdAt: Date
}

export const toReview = (wire: WireReview): Review => ({
  id: wire.id,
  taskId: wire.task_id,
  reviewerType: wire.reviewer_type,
  reviewerUsername: wire.reviewer_username,
  subjectType: wire.reviewee_type,
  subjectId: wire.reviewee_id,
  rating: wire.rating,
  comment: wire.comment,
  createdAt: toDate(wire.created_at),
})

/** The reviews of a user, newest first, in pages. */
export const reviewsQuery = (type: 'agent' | 'human', id: string) =>
  infiniteQueryOptions({
    queryKey: ['reviews', type, id],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const list = type === 'agent' ? listAgentReviews : listHumanReviews
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const page = await list({ path: { id }, query: { page_size: 20, ...cursor }, signal })
      return {
        reviews: page.reviews.map(toReview),
        total: page.total,
        nextCursor: page.next_cursor,
      }
    },
    getNextPageParam: (page) => page.nextCursor,
  })

/** Reviews the other side of a task, once. */
export function useReviewTask(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (review: { rating: number; comment?: string }) =>
      reviewTask({ path: { id }, body: review }),
    onSuccess: () =>
      Promise.all(
        ['reviews', 'profile', 'task'].map((kind) =>
          queries.invalidateQueries({ queryKey: [kind] }),
        ),
      ),
  })
}
