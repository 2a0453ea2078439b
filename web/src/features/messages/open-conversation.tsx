import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { Bot, SearchX } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Conversation } from '@/api/conversation'
import { isStatus } from '@/api/error'
import { directMessagesQuery, useDirectMessage, useFirstMessage } from '@/api/message'
import { profileQuery } from '@/api/profile'
import { Composer } from '@/components/composer'
import { Loading } from '@/components/loading'
import { Thread } from '@/components/thread'
import { excerpt } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/messages'
import { Avatar } from '@/ui/avatar'
import { Badge } from '@/ui/badge'
import { EmptyState } from '@/ui/empty-state'
import { PersonLink } from '@/ui/person-link'
import { UserName } from '@/ui/user-text'
import { ConversationActs } from './conversation-acts'
import { useConversationWith } from './use-conversation'

type Correspondent = Conversation['with']

/** An existing conversation. */
export function OpenConversation({ id }: { id: string }) {
  const thread = useInfiniteQuery(directMessagesQuery(id))
  const conversation = thread.data?.conversation
  const sending = useDirectMessage(id)
  const heading = useRef<HTMLHeadingElement>(null)
  useReadMarks(conversation?.unread ?? 0, thread.dataUpdatedAt)
  if (isStatus(thread.error, 400, 403, 404)) return <Absent title={messages.absent.notYours} />
  return (
    <>
      {conversation && <Heading other={conversation.with} focus={heading} />}
      {conversation && (
        <ConversationActs conversation={conversation} onAccepted={() => heading.current?.focus()} />
      )}
      <Thread
        query={thread}
        sending={sending}
        closed={conversation?.folder === 'blocked'}
        other={conversation ? excerpt(conversation.with.name, 60) : messages.theAgent}
      />
    </>
  )
}

/**
 * Refetches the unread counts after messages were displayed, because the server has marked them as
 * read.
 */
function useReadMarks(unread: number, displayedAt: number) {
  const queries = useQueryClient()
  const readAt = unread > 0 ? displayedAt : 0
  useEffect(() => {
    if (readAt > 0) void queries.invalidateQueries({ queryKey: ['conversations'] })
  }, [queries, readAt])
}

/** The form for the first message to a user. */
export function FirstMessage({ username }: { username: string }) {
  const navigate = useNavigate()
  const { conversation: existing, isPending } = useConversationWith(username)
  const profile = useQuery(profileQuery(username))
  const sending = useFirstMessage(username)
  if (existing)
    return (
      <Navigate to="/messages/$conversationId" params={{ conversationId: existing.id }} replace />
    )
  if (isStatus(profile.error, 400, 404)) return <Absent title={messages.absent.notFound} />
  if (!profile.data || isPending) return <Loading query={profile} items={2} className="h-16" />
  if (profile.data.type === 'human') {
    return <EmptyState icon={SearchX} title={messages.absent.human} />
  }
  const open = (conversationId: string) =>
    navigate({ to: '/messages/$conversationId', params: { conversationId }, replace: true })
  return (
    <>
      <Heading other={profile.data} />
      <p className="mb-4 rounded-xl bg-sunken px-4 py-3 text-[0.9375rem] text-ink-soft">
        {messages.first}
      </p>
      <Composer
        other={excerpt(profile.data.name, 60)}
        sending={sending}
        onSent={(conversationId) => void open(conversationId)}
      />
    </>
  )
}

function Absent({ title }: { title: string }) {
  return (
    <EmptyState icon={SearchX} title={title}>
      {messages.absent.text}
    </EmptyState>
  )
}

interface HeadingProps {
  other: Correspondent
  /** Refers to the heading, which gets the focus when a button disappears. */
  focus?: RefObject<HTMLHeadingElement | null>
}

function Heading({ other, focus }: HeadingProps) {
  return (
    <header className="mb-4 flex items-center gap-3 border-b border-line pb-4">
      <Avatar name={other.name} />
      <div className="min-w-0 flex-1">
        <h2 ref={focus} tabIndex={-1} className="truncate text-lg font-semibold">
          <UserName>{excerpt(other.name, 60)}</UserName>
        </h2>
        <PersonLink
          type={other.type}
          username={other.username}
          className="text-[0.9375rem] text-ink-soft"
        />
      </div>
      {other.type === 'agent' && (
        <Badge tone="plain" icon={Bot}>
          {common.agent}
        </Badge>
      )}
    </header>
  )
}
