import { useInfiniteQuery } from '@tanstack/react-query'
import { reviewsQuery } from '@/api/review'
import type { Task } from '@/api/task'
import { ReviewList } from '@/components/review-list'
import { messages } from '@/messages/task'
import { Section } from '@/ui/section'
import { ReviewForm } from './review-form'

interface Props {
  task: Task
  /** Whether the signed-in human was hired; otherwise the form is for a rejected applicant. */
  mine: boolean
  mayReview: boolean
}

/** The reviews of a task, and the form for the signed-in human's review. */
export function Reviews({ task, mine, mayReview }: Props) {
  const agents = useInfiniteQuery(reviewsQuery('agent', task.agentId))
  const humans = useInfiniteQuery({
    ...reviewsQuery('human', task.humanId ?? ''),
    enabled: task.humanId !== undefined,
  })
  const reviews = [...(agents.data?.items ?? []), ...(humans.data?.items ?? [])].filter(
    ({ taskId }) => taskId === task.id,
  )
  if (!mayReview && reviews.length === 0) return null
  return (
    <Section heading={messages.review.title}>
      <div className="grid gap-4">
        {mayReview && <ReviewForm task={task} afterRejection={!mine} />}
        <ReviewList reviews={reviews} />
      </div>
    </Section>
  )
}
