import { Star } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useReviewTask } from '@/api/review'
import type { Task } from '@/api/task'
import { classNames } from '@/lib/class-names'
import { limits } from '@/lib/facts.gen'
import { useText } from '@/lib/texts'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { ErrorBanner } from '@/ui/error-banner'
import { TextArea } from '@/ui/field'
import { toast } from '@/ui/toast'

/** Where the human says how it was to work for the agent. */
export function OpinionForm({ task }: { task: Task }) {
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useText(`opinion:${task.id}`)
  const saving = useReviewTask(task.id)
  const words = comment.trim()
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (rating === 0) return
    saving.mutate(words ? { rating, comment: words } : { rating }, {
      onSuccess: () => {
        setComment('')
        toast('Review published')
      },
    })
  }
  return (
    <Card aria-label="Your review">
      <form onSubmit={save} className="grid gap-5 p-5 sm:p-6">
        <Rating value={rating} onChange={setRating} />
        <TextArea
          label="In your words"
          hint="Optional. Everybody who is signed in can read it, and it stays."
          value={comment}
          maxLength={limits.maxReviewComment}
          dir="auto"
          onChange={(event) => setComment(event.target.value)}
        />
        {task.status === 'cancelled' && (
          <p className="text-[0.9375rem] text-ink-soft">
            The task was cancelled: your words are shown, your stars do not count in the average.
          </p>
        )}
        {saving.isError && <ErrorBanner error={saving.error} />}
        <Button
          type="submit"
          busy={saving.isPending}
          disabled={rating === 0}
          className="justify-self-start"
        >
          Publish the review
        </Button>
      </form>
    </Card>
  )
}

const words = ['', 'Bad', 'Poor', 'Fair', 'Good', 'Excellent']

/** One to five stars, as the buttons of a radio group: arrows move, space chooses. */
function Rating({ value, onChange }: { value: number; onChange: (rating: number) => void }) {
  return (
    <fieldset>
      <legend className="mb-2 text-[0.9375rem] font-medium">
        How was it to work for this agent?
      </legend>
      <div className="flex flex-wrap items-center gap-1">
        {[1, 2, 3, 4, 5].map((stars) => (
          <label
            key={stars}
            title={words[stars]}
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
              {stars} of 5, {words[stars]}
            </span>
          </label>
        ))}
        <span aria-hidden className="ml-2 text-ink-soft">
          {words[value]}
        </span>
      </div>
    </fieldset>
  )
}
