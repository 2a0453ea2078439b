import { useInfiniteQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import type { Profile } from '@/api/profile'
import { reviewsQuery } from '@/api/review'
import { ReviewList } from '@/components/review-list'
import { messages } from '@/messages/people'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'
import { Section } from '@/ui/section'

/**
 * The reviews of a user. The profile contains the latest; if there are more, the full list is
 * fetched.
 */
export function Reviews({ profile }: { profile: Profile }) {
  const id = profile.reviews[0]?.revieweeId
  const list = useInfiniteQuery({
    ...reviewsQuery(profile.type, id ?? ''),
    enabled: id !== undefined && profile.totalReviews > profile.reviews.length,
  })
  const reviews = list.data?.items ?? profile.reviews
  return (
    <Section heading={messages.reviews}>
      {reviews.length === 0 ? (
        <EmptyState icon={Star} title={messages.noReviews}>
          {messages.noReviewsText}
        </EmptyState>
      ) : (
        <ReviewList reviews={reviews} />
      )}
      <LoadMore query={list} />
    </Section>
  )
}
