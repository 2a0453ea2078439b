import { useInfiniteQuery } from '@tanstack/react-query'
import { reviewsQuery } from '@/api/review'
import type { Task } from '@/api/task'
import { ReviewCard } from '@/components/review-card'
import { messages } from '@/messages/task'
import { ReviewForm } from './review-form'

/** What the two sides of an ended task say of each other, and where the reader says it. */
export function Reviews({ task, mayReview }: { task: Task; mayReview: boolean }) {
  const agents = useInfiniteQuery(reviewsQuery('agent', task.agentId))
  const humans = useInfiniteQuery({
    ...reviewsQuery('human', task.humanId ?? ''),
    enabled: task.humanId !== undefined,
  })
  const pages = [...(agents.data?.pages ?? []), ...(humans.data?.pages ?? [])]
  const reviews = pages.flatMap((page) => page.reviews).filter((each) => each.taskId === task.id)
  if (!mayReview && reviews.length === 0) return null
  return (
    <section aria-labelledby="opinions">
      <h2 id="opinions" className="mb-4 text-xl font-semibold">
        {messages.review.title}
      </h2>
      <div className="grid gap-4">
        {mayReview && <ReviewForm task={task} />}
        {reviews.length > 0 && (
          <ul className="grid gap-4">
            {reviews.map((review) => (
              <ReviewCard key={review.id} review={review} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
