import { Star } from 'lucide-react'
import { useState } from 'react'
import { useReviewTask } from '@/api/review'
import type { Task } from '@/api/task'
import { ErrorBanner } from '@/components/error-banner'
import { classNames } from '@/lib/class-names'
import { useDraft } from '@/lib/drafts'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/task'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'

/** The form with which the human reviews the agent, after the task or after a rejection. */
export function ReviewForm({ task, afterRejection }: { task: Task; afterRejection: boolean }) {
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useDraft(`opinion:${task.id}`)
  const saving = useReviewTask(task.id, () => {
    setComment('')
    toast(messages.review.published)
  })
  const words = comment.trim()
  const save = () => {
    if (rating > 0) saving.mutate(words ? { rating, comment: words } : { rating })
  }
  return (
    <Card aria-label={messages.review.label}>
      <Form onSubmit={save} className="grid gap-5 p-5 sm:p-6">
        <Rating
          question={afterRejection ? messages.review.rejectionQuestion : messages.review.question}
          value={rating}
          onChange={setRating}
        />
        <TextArea
          label={messages.review.comment}
          hint={messages.review.commentHint}
          value={comment}
          maxLength={limits.maxReviewComment}
          dir="auto"
          onChange={(event) => setComment(event.target.value)}
        />
        {(afterRejection || task.status === 'cancelled') && (
          <p className="text-[0.9375rem] text-ink-soft">
            {afterRejection ? messages.review.rejected : messages.review.cancelled}
          </p>
        )}
        {saving.isError && <ErrorBanner error={saving.error} />}
        <Button
          type="submit"
          busy={saving.isPending}
          disabled={rating === 0}
          className="justify-self-start"
        >
          {messages.review.publish}
        </Button>
      </Form>
    </Card>
  )
}

interface RatingProps {
  question: string
  value: number
  onChange: (rating: number) => void
}

/** One to five stars as a radio group: arrow keys move the selection, space selects. */
function Rating({ question, value, onChange }: RatingProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-[0.9375rem] font-medium">{question}</legend>
      <div className="flex flex-wrap items-center gap-1">
        {[1, 2, 3, 4, 5].map((stars) => (
          <label
            key={stars}
            title={messages.review.words[stars]}
            className="grid size-10 cursor-pointer place-items-center rounded-lg hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="rating"
              value={stars}
              checked={value === stars}
              onChange={() => onChange(stars)}
              className="sr-only"
            />
            <Star
              aria-hidden
              className={classNames(
                'size-7',
                stars <= value ? 'fill-wait text-wait' : 'text-line-strong',
              )}
            />
            <span className="sr-only">
              {messages.review.stars(stars, messages.review.words[stars] ?? '')}
            </span>
          </label>
        ))}
        <span aria-hidden className="ml-2 text-ink-soft">
          {messages.review.words[value]}
        </span>
      </div>
    </fieldset>
  )
}
