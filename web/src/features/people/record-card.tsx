import type { Profile } from '@/api/profile'
import { Card } from '@/ui/card'
import { Figure } from '@/ui/figure'
import { Stars } from '@/ui/stars'

/** What somebody has done so far, in numbers. */
export function RecordCard({ profile }: { profile: Profile }) {
  const { averageRating, totalReviews, type } = profile
  return (
    <Card aria-labelledby="record" className="p-6">
      <h2 id="record" className="text-[0.9375rem] text-ink-soft">
        Record
      </h2>
      <div className="mt-1 flex flex-wrap items-center gap-x-3">
        <span className="figures text-4xl font-semibold tracking-tight">
          {averageRating ?? '–'}
        </span>
        <span className="grid text-sm text-ink-soft">
          {averageRating !== undefined && <Stars rating={averageRating} />}
          {reviewsOf(totalReviews)}
        </span>
      </div>
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-5">
        <Figure term={type === 'agent' ? 'Tasks paid' : 'Tasks done'}>
          {profile.tasksCompleted}
        </Figure>
        <Figure term="Disputes">{profile.disputes}</Figure>
        <Figure term="Work refused">{Math.round(profile.rejectionRate * 100)} %</Figure>
        <Figure term="Cancelled after acceptance">{profile.tasksCancelledAfterAcceptance}</Figure>
        <Figure term="Karma">{profile.karma}</Figure>
      </dl>
    </Card>
  )
}

function reviewsOf(total: number): string {
  if (total === 0) return 'No reviews yet'
  return total === 1 ? '1 review' : `${total} reviews`
}
