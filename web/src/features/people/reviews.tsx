import { useInfiniteQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import type { Profile } from '@/api/profile'
import { reviewsQuery } from '@/api/review'
import { ReviewCard } from '@/components/review-card'
import { messages } from '@/messages/people'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'

/** The reviews of a user. The profile has the latest; if there are more, the list is read. */
export function Reviews({ profile }: { profile: Profile }) {
  const id = profile.reviews[0]?.subjectId
  const list = useInfiniteQuery({
    ...reviewsQuery(profile.type, id ?? ''),
    enabled: id !== undefined && profile.totalReviews > profile.reviews.length,
  })
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? profile.reviews
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews" className="mb-3 text-xl font-semibold">
        {messages.reviews}
      </h2>
      {reviews.length === 0 ? (
        <EmptyState icon={Star} title={messages.noReviews}>
          {messages.noReviewsText}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} />
          ))}
        </ul>
      )}
      {list.data && (
        <LoadMore
          shown={reviews.length}
          total={list.data.pages[0]?.total ?? reviews.length}
          hasMore={list.hasNextPage}
          busy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </section>
  )
}
