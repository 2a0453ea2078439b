import { useQuery } from '@tanstack/react-query'
import {
  BadgeCheck,
  CalendarClock,
  Globe,
  MapPin,
  MessageSquareText,
  UsersRound,
} from 'lucide-react'
import { disputeQuery } from '@/api/dispute'
import { hasOffer } from '@/api/offers'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { MoneyNow } from '@/components/money-now'
import { ReportButton } from '@/components/report-button'
import { FilesCard, SubmissionCard } from '@/components/submission-card'
import { hasEnded, TaskStatusBadge } from '@/components/task-status'
import { VerdictsCard } from '@/components/verdicts'
import { entryOf } from '@/lib/known'
import { useNow } from '@/lib/now'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { Columns } from '@/ui/columns'
import { Fact, Facts } from '@/ui/fact'
import { headingClass, PageFrame } from '@/ui/page'
import { PersonLink } from '@/ui/person-link'
import { PersonName } from '@/ui/person-name'
import { Section } from '@/ui/section'
import { Skills } from '@/ui/skills'
import { Time } from '@/ui/time'
import { UserLine, UserText } from '@/ui/user-text'
import { ActionCard } from './action-card'
import { AgentRecord } from './agent-record'
import { DisputeCard } from './dispute-card'
import { MoneyCard } from './money-card'
import { ReviewCard } from './review-card'
import { Reviews } from './reviews'
import { TaskMessages } from './task-messages'
import { Timeline } from './timeline'
import { useOffers } from './use-offers'
import { WorkerActions } from './worker-actions'

const decided: readonly string[] = ['approved', 'rejected']

/** All data of a task: description, payment, deadline, agent and progress. */
export function TaskView({ task }: { task: Task }) {
  const me = useSession()
  const mine = me?.id === task.humanId
  const offers = useOffers(task)
  const seesWork = mine || Boolean(me?.isValidator && task.submittedAt)
  const isDisputed = seesWork && task.disputedAt !== undefined
  const dispute = useQuery({ ...disputeQuery(task.id), enabled: isDisputed }).data
  const disputeCard = dispute && (
    <DisputeCard
      task={task}
      dispute={dispute}
      viewer={mine ? 'human' : 'validator'}
      mayAnswer={hasOffer(offers, 'answer')}
    />
  )
  const now = useNow()
  // The human's payment depends on an undecided dispute. Once the payment can be collected, that comes first.
  const isFirst = mine && dispute && !dispute.outcome && now < dispute.deadline
  return (
    <PageFrame title={visible(task.title)}>
      <header className="mb-8 max-w-3xl">
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] text-ink-soft">
          <TaskStatusBadge status={task.status} />
          {(mine && entryOf(messages.ownStatus, task.status)) ||
            entryOf(common.status, task.status)?.means}
        </div>
        <h1 className={headingClass}>
          <UserLine>{task.title}</UserLine>
        </h1>
        <TaskFacts task={task} />
        <div className="mt-3 -ml-3">
          <ReportButton type="task" subject={task.id} />
        </div>
      </header>
      {isFirst && disputeCard && <div className="mb-6">{disputeCard}</div>}
      <Columns
        first={
          <>
            {mine ? (
              <WorkerActions task={task} offers={offers} />
            ) : (
              <ActionCard task={task} offers={offers} />
            )}
            <MoneyCard task={task} mine={mine} />
          </>
        }
        beside={
          <>
            {task.acceptedAt && <MoneyNow task={task} mine={mine} />}
            <AgentCard task={task} />
          </>
        }
      >
        <Section heading={messages.view.description}>
          <UserText className="max-w-prose">{task.description}</UserText>
        </Section>
        {task.skills.length > 0 && (
          <Section heading={common.skills}>
            <Skills skills={task.skills} />
          </Section>
        )}
        {task.submittedAt && <SubmissionCard task={task} />}
        {seesWork && <FilesCard task={task} mine={mine} />}
        {!isFirst && disputeCard}
        {!dispute && task.status === 'validating' && <ReviewCard task={task} mine={mine} />}
        {!dispute && seesWork && decided.includes(task.status) && <VerdictsCard task={task} />}
        {(mine ? hasEnded(task.status) : task.hasApplied) && (
          <Reviews task={task} mine={mine} mayReview={hasOffer(offers, 'review')} />
        )}
        {mine && task.acceptedAt && <TaskMessages task={task} />}
        <Timeline task={task} dispute={dispute} mine={mine} />
      </Columns>
    </PageFrame>
  )
}

function AgentCard({ task }: { task: Task }) {
  return (
    <Card
      heading={
        <>
          <PersonLink type="agent" username={task.agentUsername}>
            <PersonName name={task.agentName} username={task.agentUsername} />
          </PersonLink>
          {task.agentIsVerified && (
            <BadgeCheck aria-label={common.verified} className="size-5 text-accent" />
          )}
        </>
      }
      headingClass="flex items-center gap-1.5 text-lg font-semibold"
      className="p-6"
    >
      <AgentRecord username={task.agentUsername} wallet={task.agentWalletAddress} />
      <ButtonLink
        to="/messages/to/$username"
        params={{ username: task.agentUsername }}
        variant="secondary"
        size="small"
        className="mt-4 w-full"
      >
        <MessageSquareText aria-hidden className="size-4" />
        {messages.view.messageAgent}
      </ButtonLink>
    </Card>
  )
}

function TaskFacts({ task }: { task: Task }) {
  return (
    <Facts className="mt-4">
      {task.remote && <Fact icon={Globe}>{common.remote}</Fact>}
      {task.location && (
        <Fact icon={MapPin}>
          <UserLine>{task.location}</UserLine>
        </Fact>
      )}
      <Fact icon={CalendarClock}>
        {task.deadline
          ? common.due(<Time at={task.deadline} show="both" />)
          : messages.view.noDeadline}
      </Fact>
      <Fact icon={UsersRound}>{messages.view.applications(task.applicationCount)}</Fact>
    </Facts>
  )
}
