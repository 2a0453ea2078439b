import { Link } from '@tanstack/react-router'
import {
  Bell,
  Clock3,
  Coins,
  FileUser,
  Gavel,
  Gift,
  Hammer,
  type LucideIcon,
  Mail,
  MessageSquare,
  Star,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Activity } from '@/api/activity'
import { transactionUrl, useContracts } from '@/api/contracts'
import { TokenAmount } from '@/components/token-amount'
import { classNames } from '@/lib/class-names'
import type { ActivityType } from '@/lib/facts.gen'
import { entryOf } from '@/lib/known'
import { useNow } from '@/lib/now'
import { dayName } from '@/lib/time'
import { excerpt, visible } from '@/lib/user-text'
import { messages } from '@/messages/activity'
import { Address } from '@/ui/address'
import { Badge } from '@/ui/badge'
import { PersonName } from '@/ui/person-name'
import { Time } from '@/ui/time'
import { UserLine } from '@/ui/user-text'
import { movementOf } from './movement'

const icons: Record<ActivityType, LucideIcon> = {
  task: Hammer,
  application: FileUser,
  payout: Coins,
  dispute: Gavel,
  review: Star,
  claim: Gift,
  message: MessageSquare,
  dm: Mail,
}

interface Props {
  activities: Activity[]
  /** The ids of the items that are new to the user. */
  unseen: ReadonlySet<string>
}

/** The events, grouped by day. */
export function Feed({ activities, unseen }: Props) {
  const now = useNow()
  const days = byDay(activities, now)
  return (
    <div className="grid gap-8">
      {[...days].map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h2 className="mb-3 text-[0.9375rem] font-semibold text-ink-soft">{day}</h2>
          <ol className="overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
            {items.map((each) => (
              <Item key={each.id} activity={each} isNew={unseen.has(each.id)} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function byDay(activities: Activity[], now: Date): Map<string, Activity[]> {
  const days = new Map<string, Activity[]>()
  for (const each of activities) {
    const day = dayName(each.createdAt, now)
    days.set(day, [...(days.get(day) ?? []), each])
  }
  return days
}

function Item({ activity, isNew }: { activity: Activity; isNew: boolean }) {
  const contracts = useContracts()
  const Icon = entryOf(icons, activity.eventType) ?? Bell
  const { txHash, status } = activity
  const movement = movementOf(activity)
  return (
    <li className="relative flex gap-4 border-line px-4 py-4 not-first:border-t sm:px-5">
      <span
        className={classNames(
          'grid size-10 shrink-0 place-items-center rounded-full',
          isNew ? 'bg-accent-wash text-accent' : 'bg-sunken text-ink-soft',
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="font-medium">
            <Target activity={activity}>{visible(activity.title)}</Target>
            {isNew && (
              <span className="ml-2 rounded-full bg-accent px-2 py-0.5 align-middle text-xs font-semibold text-accent-ink">
                {messages.new}
              </span>
            )}
          </p>
          {movement !== undefined && (
            <TokenAmount
              wei={movement}
              signed
              className={classNames('font-semibold', status === 'reverted' && 'line-through')}
            />
          )}
        </div>
        <Subject activity={activity} />
        <p className="text-[0.9375rem] [overflow-wrap:anywhere] text-ink-soft">
          {visible(activity.description)}
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
          <Time at={activity.createdAt} happened />
          {txHash && <Address hex={txHash} href={transactionUrl(contracts, txHash)} />}
          <FinalityBadge status={status} />
        </div>
      </div>
    </li>
  )
}

// The number of characters of a task's title in the feed.
const longestTitle = 80

/** The task and the other party of an event. Both texts are those of other users. */
function Subject({ activity }: { activity: Activity }) {
  const { taskTitle, counterpartyName, counterpartyUsername } = activity
  if (!taskTitle && !counterpartyUsername) return null
  return (
    <p className="flex flex-wrap gap-x-2 text-[0.9375rem]">
      {taskTitle && <UserLine>{excerpt(taskTitle, longestTitle)}</UserLine>}
      {counterpartyUsername && (
        <PersonName name={counterpartyName ?? ''} username={counterpartyUsername} />
      )}
    </p>
  )
}

const ofModeration: readonly Activity['kind'][] = [
  'measure_imposed',
  'measure_ended',
  'appeal_upheld',
]

/** Links to the page that shows an event's subject, if there is one. */
function Target({ activity, children }: { activity: Activity; children: ReactNode }) {
  const { eventType: type, relatedId, taskId } = activity
  const linkClass = 'underline decoration-line-strong underline-offset-4 hover:decoration-ink'
  if (ofModeration.includes(activity.kind)) {
    return (
      <Link to="/notices" className={linkClass}>
        {children}
      </Link>
    )
  }
  if (taskId) {
    return (
      <Link to="/tasks/$taskId" params={{ taskId }} className={linkClass}>
        {children}
      </Link>
    )
  }
  if (relatedId && type === 'dm') {
    return (
      <Link
        to="/messages/$conversationId"
        params={{ conversationId: relatedId }}
        className={linkClass}
      >
        {children}
      </Link>
    )
  }
  return <>{children}</>
}

function FinalityBadge({ status }: Pick<Activity, 'status'>) {
  if (status !== 'pending' && status !== 'reverted') return null
  const style = { pending: ['wait', Clock3], reverted: ['bad', Undo2] } as const
  const [tone, icon] = style[status]
  return (
    <Badge tone={tone} icon={icon}>
      {messages.status[status]}
    </Badge>
  )
}
