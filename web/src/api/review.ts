import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listAgentReviews, listHumanReviews, reviewTask } from './gen/sdk.gen'
import type { Review as WireReview } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

export const toReview = converter<WireReview>()(['created_at'])

/** A review of one party to a task by the other, with 1 to 5 stars. */
export type Review = ReturnType<typeof toReview>

/** The reviews that a user has received, newest first, in pages. */
export const reviewsQuery = (type: string, id: string) =>
  listQuery(['reviews', type, id], 20, async (query, signal) => {
    const list = type === 'agent' ? listAgentReviews : listHumanReviews
    const page = await list({ path: { id }, query, signal })
    return toPage(page, page.reviews.map(toReview))
  })

/**
 * Submits a review of the other party to a task. Each party can submit only one. `onSuccess` runs even
 * if the form has disappeared by then.
 */
export function useReviewTask(id: string, onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (review: { rating: number; comment?: string }) =>
      reviewTask({ path: { id }, body: review }),
    onSuccess: () => {
      onSuccess()
      return Promise.all(
        ['reviews', 'profile', 'task'].map((kind) =>
          queries.invalidateQueries({ queryKey: [kind] }),
        ),
      )
    },
  })
}
