import { useQuery } from '@tanstack/react-query'
import { Check, Hourglass } from 'lucide-react'
import { transactionUrl, useContracts } from '@/api/contracts'
import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { hasEnded } from '@/components/task-status'
import { TokenAmount } from '@/components/token-amount'
import { entryOf, plain } from '@/lib/known'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { Address } from '@/ui/address'
import { Section } from '@/ui/section'
import { Time } from '@/ui/time'
import { UserName } from '@/ui/user-text'
import { type Event, timelineEvents } from './timeline-events'

interface Props {
  task: Task
  dispute?: Dispute | null | undefined
  /** Whether the task is assigned to the signed-in human. */
  mine: boolean
}

/**
 * The events of a task with their transactions, followed by the status changes that time will
 * cause.
 */
export function Timeline({ task, dispute, mine }: Props) {
  const next = useQuery(taskNextQuery(task.id))
  const contracts = useContracts()
  const changes = next.data?.withoutAction.changes ?? []
  return (
    <Section heading={messages.timeline.title}>
      <ol>
        {timelineEvents(task, dispute, mine).map((event) => (
          <Past
            key={event.what}
            event={event}
            url={event.hash && transactionUrl(contracts, event.hash)}
          />
        ))}
        {changes.map((change) => (
          <li key={change.at.toISOString()} className={itemClass}>
            <Dot done={false} />
            <div className="text-ink-soft">
              <p className="font-medium text-ink">
                {messages.timeline.ifNothing}{' '}
                {(
                  entryOf(common.status, change.status)?.word ?? plain(change.status)
                ).toLowerCase()}
                {change.payout > 0n &&
                  messages.timeline.toHuman(mine, <TokenAmount wei={change.payout} />)}
              </p>
              <p className="text-[0.9375rem]">
                <Time at={change.at} show="both" />
              </p>
            </div>
          </li>
        ))}
      </ol>
      {changes.length === 0 && next.data && !hasEnded(task.status) && (
        <p className="mt-3 text-[0.9375rem] text-ink-soft">
          <span className="font-medium text-ink">{messages.timeline.ifNothing}</span>{' '}
          {next.data.withoutAction.message}
        </p>
      )}
    </Section>
  )
}

const itemClass =
  'relative flex gap-4 pb-6 last:pb-2 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-0 not-last:before:left-[0.9375rem] not-last:before:border-l not-last:before:border-line'

function Dot({ done }: { done: boolean }) {
  const Icon = done ? Check : Hourglass
  return (
    <span
      className={`grid size-8 shrink-0 place-items-center rounded-full ${done ? 'bg-good-wash text-good' : 'bg-sunken text-ink-soft'}`}
    >
      <Icon aria-label={done ? common.done : messages.timeline.toCome} className="size-4" />
    </span>
  )
}

function Past({ event, url }: { event: Event; url: string | undefined }) {
  return (
    <li className={itemClass}>
      <Dot done />
      <div>
        <p className="font-medium">
          {event.what} {event.username && <UserName>{event.username}</UserName>}
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-ink-soft">
          <Time at={event.at} show="both" happened />
          {event.hash && <Address hex={event.hash} href={url} />}
        </p>
      </div>
    </li>
  )
}
