import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, BellOff, Inbox, UserRoundPlus } from 'lucide-react'
import { type Conversation, conversationsQuery } from '@/api/conversation'
import { Loading } from '@/components/loading'
import { classNames } from '@/lib/class-names'
import { summary } from '@/lib/markdown'
import type { Folder } from '@/lib/messages-params'
import { excerpt } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/messages'
import { Avatar } from '@/ui/avatar'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { Count } from '@/ui/count'
import { EmptyState } from '@/ui/empty-state'
import { Time } from '@/ui/time'

interface Props {
  folder: Folder
  /** The id of the open conversation. */
  open: string | undefined
}

/** The signed-in human's conversations in a folder, most recent first. */
export function ConversationList({ folder, open }: Props) {
  const list = useInfiniteQuery(conversationsQuery(folder))
  if (!list.data) return <Loading query={list} items={4} className="h-20" />
  if (list.data.items.length === 0) return <NoConversations folder={folder} />
  return (
    <nav aria-label={messages.conversations}>
      <ul className="grid gap-2">
        {list.data.items.map((conversation) => (
          <li key={conversation.id}>
            <Entry conversation={conversation} isOpen={conversation.id === open} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="quiet"
          size="small"
          className="mt-3 w-full"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {common.showMore}
        </Button>
      )}
    </nav>
  )
}

const icons = { inbox: Inbox, requests: UserRoundPlus, blocked: Ban }

function NoConversations({ folder }: { folder: Folder }) {
  const { title, text } = messages.none[folder]
  return (
    <EmptyState
      icon={icons[folder]}
      title={title}
      action={
        folder === 'inbox' && (
          <ButtonLink to="/tasks" variant="secondary">
            {common.seeOpenTasks}
          </ButtonLink>
        )
      }
    >
      {text}
    </EmptyState>
  )
}

function Entry({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { with: other, lastMessage, unread, muted, updatedAt } = conversation
  const waits = unread > 0 && !isOpen
  return (
    <Link
      to="/messages/$conversationId"
      params={{ conversationId: conversation.id }}
      className={classNames(
        'flex items-center gap-3 rounded-2xl border px-3.5 py-3 no-underline transition-colors',
        isOpen ? 'border-accent bg-surface' : 'border-line bg-surface hover:border-line-strong',
      )}
    >
      <Avatar name={other.name} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <bdi translate="no" className="truncate font-medium">
            {excerpt(other.name, 60)}
          </bdi>
          <span className="shrink-0 text-xs text-ink-soft">
            <Time at={updatedAt} happened />
          </span>
        </span>
        <span className="flex items-center justify-between gap-3">
          <span
            dir="auto"
            className={classNames(
              'truncate text-[0.9375rem]',
              waits ? 'font-medium text-ink' : 'text-ink-soft',
            )}
          >
            {lastMessage?.mine && messages.youWrote}
            {summary(lastMessage?.text ?? '', 100)}
          </span>
          {waits && <Count of={unread} what={messages.unread} />}
          {muted && (
            <span className="shrink-0 text-ink-soft" title={messages.muted}>
              <BellOff aria-hidden className="size-4" />
              <span className="sr-only">{messages.muted}</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}
