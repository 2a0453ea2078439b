import type { UseInfiniteQueryResult, UseMutationResult } from '@tanstack/react-query'
import { Check, CheckCheck, MessagesSquare } from 'lucide-react'
import type { List } from '@/api/list'
import { hasArrived, type Message, type Outgoing } from '@/api/message'
import { classNames } from '@/lib/class-names'
import { useNow } from '@/lib/now'
import { dayName, exactTime, timeOfDay } from '@/lib/time'
import { useStickyEnd } from '@/lib/use-sticky-end'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { UserName, UserText } from '@/ui/user-text'
import { Composer } from './composer'
import { Loading } from './loading'
import { ReportButton } from './report-button'

interface Props<T> {
  query: UseInfiniteQueryResult<List<Message>>
  sending: UseMutationResult<T, Error, Outgoing>
  /** The name of the other party. */
  other: string
  /** Whether the user cannot write, so that there is no form. */
  closed?: boolean
}

/** The messages between two users, the newest at the bottom, with the form for a new message. */
export function Thread<T>({ query, sending, other, closed = false }: Props<T>) {
  if (!query.data) return <Loading query={query} items={3} className="h-16" />
  const messages = query.data.items.toReversed()
  const outgoing = sending.isPending ? sending.variables : undefined
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <Messages
        messages={messages}
        pending={outgoing && !hasArrived(outgoing, messages) ? outgoing.content : undefined}
        other={other}
        earlier={
          query.hasNextPage && (
            <Button
              variant="quiet"
              size="small"
              className="mx-auto"
              busy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {common.earlierMessages}
            </Button>
          )
        }
      />
      {!closed && <Composer sending={sending} other={other} after={messages.at(-1)?.id} />}
    </div>
  )
}

interface MessagesProps {
  messages: Message[]
  /** The text of a message that is being sent. It is removed if the request fails. */
  pending: string | undefined
  other: string
  earlier: React.ReactNode
}

function Messages({ messages, pending, other, earlier }: MessagesProps) {
  const last = messages.at(-1)
  const box = useStickyEnd(messages[0]?.id, `${last?.id}${pending ?? ''}`)
  if (messages.length === 0 && !pending) return <NoMessages other={other} />
  return (
    <div
      ref={box}
      role="log"
      aria-label={common.messagesWith(other)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
      tabIndex={0}
      className="relative grid max-h-[min(34rem,65dvh)] content-start gap-1.5 overflow-y-auto overscroll-contain rounded-xl p-1"
    >
      {earlier}
      {messages.map((message, place) => (
        <Entry key={message.id} message={message} before={messages[place - 1]} other={other} />
      ))}
      {pending && <Bubble mine content={pending} note={common.sending} faint />}
    </div>
  )
}

function NoMessages({ other }: { other: string }) {
  return (
    <p className="flex items-center gap-3 rounded-xl bg-sunken px-4 py-3 text-[0.9375rem] text-ink-soft">
      <MessagesSquare aria-hidden className="size-5 shrink-0" />
      <span>{common.noMessages(<UserName>{other}</UserName>)}</span>
    </p>
  )
}

interface EntryProps {
  message: Message
  before: Message | undefined
  other: string
}

function Entry({ message, before, other }: EntryProps) {
  const now = useNow()
  const day = dayName(message.createdAt, now)
  const newDay = !before || dayName(before.createdAt, now) !== day
  return (
    <>
      {newDay && (
        <p className="my-2 text-center text-[0.8125rem] font-medium text-ink-soft">{day}</p>
      )}
      <Bubble
        mine={message.mine}
        content={message.content}
        other={other}
        at={message.createdAt}
        spaced={before !== undefined && before.mine !== message.mine}
        readAt={message.readAt}
        messageId={message.id}
      />
    </>
  )
}

interface BubbleProps {
  mine: boolean
  content: string
  other?: string
  at?: Date
  readAt?: Date | undefined
  /** The message that the other party wrote and that can be reported. */
  messageId?: string
  note?: string
  /** Adds space above the message, because the previous one is from the other party. */
  spaced?: boolean
  faint?: boolean
}

function Bubble({ mine, content, other, at, readAt, messageId, note, spaced, faint }: BubbleProps) {
  return (
    <div
      className={classNames(
        'grid max-w-[min(36rem,88%)] min-w-0 gap-0.5',
        mine ? 'justify-items-end justify-self-end' : 'justify-items-start justify-self-start',
        spaced && 'mt-2',
      )}
    >
      <span className="sr-only">{mine || !other ? common.you : <UserName>{other}</UserName>}:</span>
      <UserText
        className={classNames(
          'max-w-full rounded-2xl px-3.5 py-2 text-[0.9375rem]',
          mine ? 'rounded-br-md bg-accent-wash' : 'rounded-bl-md border border-line bg-surface',
          faint && 'opacity-70',
        )}
      >
        {content}
      </UserText>
      <span className="inline-flex items-center gap-1 px-1 text-xs text-ink-soft">
        {note}
        {at && (
          <time dateTime={at.toISOString()} title={exactTime(at)}>
            {timeOfDay(at)}
          </time>
        )}
        {mine && at && <Receipt readAt={readAt} />}
        {!mine && messageId && <ReportButton type="message" subject={messageId} compact />}
      </span>
    </div>
  )
}

function Receipt({ readAt }: { readAt: Date | undefined }) {
  const Icon = readAt ? CheckCheck : Check
  const words = readAt ? common.read : common.sent
  return (
    <span title={readAt ? common.readAt(exactTime(readAt)) : common.sentNotRead}>
      <Icon aria-hidden className={classNames('size-3.5', readAt && 'text-accent')} />
      <span className="sr-only">{words}</span>
    </span>
  )
}
