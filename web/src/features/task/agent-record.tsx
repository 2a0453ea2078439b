import { useQuery } from '@tanstack/react-query'
import { type Profile, profileQuery } from '@/api/profile'
import { Loading } from '@/components/loading'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { Address } from '@/ui/address'
import { Figure } from '@/ui/figure'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'

/** An agent's track record. */
export function AgentRecord({ username, wallet }: { username: string; wallet: string }) {
  const profile = useQuery(profileQuery(username))
  if (!profile.data) return <Loading query={profile} items={1} className="mt-4 h-32" />
  return (
    <>
      {profile.data.bio && (
        <UserText className="mt-1.5 line-clamp-4 text-[0.9375rem] text-ink-soft">
          {profile.data.bio}
        </UserText>
      )}
      <Numbers profile={profile.data} />
      <p className="mt-4 flex flex-wrap items-center gap-x-3 border-t border-line pt-4 text-sm text-ink-soft">
        <span>{messages.memberSince(<Time at={profile.data.memberSince} show="day" />)}</span>
        <Address hex={wallet} />
      </p>
    </>
  )
}

function Numbers({ profile }: { profile: Profile }) {
  const { averageRating, totalReviews, rejectionRate, tasksCancelledAfterAcceptance } = profile
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-4">
      <Figure term={common.tasksPaid}>{profile.tasksCompleted}</Figure>
      <Figure term={common.counterparties}>{profile.counterparties}</Figure>
      <Figure term={messages.ratingOf(totalReviews)}>
        {averageRating === undefined ? messages.noRating : messages.rating(averageRating)}
      </Figure>
      <Figure term={common.disputes}>{profile.disputes}</Figure>
      <Figure term={common.workRejected}>{common.share(rejectionRate)}</Figure>
      <Figure term={common.applicantsRejected}>{profile.rejectedApplications ?? 0}</Figure>
      {tasksCancelledAfterAcceptance > 0 && (
        <Figure term={common.cancelledAfterAcceptance}>{tasksCancelledAfterAcceptance}</Figure>
      )}
    </dl>
  )
}
