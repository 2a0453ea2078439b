import type { Profile } from '@/api/profile'
import { common } from '@/messages/common'
import { messages } from '@/messages/people'
import { Card } from '@/ui/card'
import { Figure } from '@/ui/figure'
import { Stars } from '@/ui/stars'

/** A user's track record in numbers. */
export function RecordCard({ profile }: { profile: Profile }) {
  const { averageRating, totalReviews, type } = profile
  return (
    <Card heading={messages.record} headingClass="text-[0.9375rem] text-ink-soft" className="p-6">
      <div className="mt-1 flex flex-wrap items-center gap-x-3">
        <span className="figures text-4xl font-semibold tracking-tight">
          {averageRating ?? '–'}
        </span>
        <span className="grid text-sm text-ink-soft">
          {averageRating !== undefined && <Stars rating={averageRating} />}
          {totalReviews === 0 ? messages.noReviews : common.reviews(totalReviews)}
        </span>
      </div>
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-5">
        <Figure term={type === 'agent' ? common.tasksPaid : messages.tasksDone}>
          {profile.tasksCompleted}
        </Figure>
        <Figure term={common.counterparties}>{profile.counterparties}</Figure>
        <Figure term={common.disputes}>{profile.disputes}</Figure>
        <Figure term={common.workRejected}>{common.share(profile.rejectionRate)}</Figure>
        <Figure term={common.cancelledAfterAcceptance}>
          {profile.tasksCancelledAfterAcceptance}
        </Figure>
        {profile.rejectedApplications !== undefined && (
          <Figure term={common.applicantsRejected}>{profile.rejectedApplications}</Figure>
        )}
        <Figure term={messages.karma}>{profile.karma}</Figure>
      </dl>
    </Card>
  )
}
