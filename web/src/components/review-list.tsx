import { Ban } from 'lucide-react'
import type { Review } from '@/api/review'
import { common } from '@/messages/common'
import { Badge } from '@/ui/badge'
import { PersonLink } from '@/ui/person-link'
import { Stars } from '@/ui/stars'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'

/** Reviews that a user has received from the other parties to tasks. */
export function ReviewList({ reviews }: { reviews: Review[] }) {
  return (
    <ul className="grid gap-4 empty:hidden">
      {reviews.map((review) => (
        <ReviewCard key={review.id} review={review} />
      ))}
    </ul>
  )
}

function ReviewCard({ review }: { review: Review }) {
  return (
    <li className="grid gap-2 rounded-2xl border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Stars rating={review.rating} />
          {review.afterRejection && (
            <Badge tone="bad" icon={Ban}>
              {common.afterRejection}
            </Badge>
          )}
        </span>
        <span className="text-sm text-ink-soft">
          <PersonLink type={review.reviewerType} username={review.reviewerUsername} />
          {' · '}
          <Time at={review.createdAt} happened />
        </span>
      </div>
      {review.comment ? (
        <UserText className="text-[0.9375rem]">{review.comment}</UserText>
      ) : (
        <p className="text-[0.9375rem] text-ink-soft">{common.noComment}</p>
      )}
    </li>
  )
}
