import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { conversationsQuery } from '@/api/conversation'
import { classNames } from '@/lib/class-names'
import { messages } from '@/messages/messages'
import { Card } from '@/ui/card'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { ConversationList } from './conversation-list'
import { FolderLinks } from './folder-links'
import { FirstMessage, OpenConversation } from './open-conversation'
import { useOpenConversation } from './use-conversation'

/** The page for direct messages: the conversations of a folder, with the open one beside it. */
export function MessagesPage() {
  const { conversationId, username } = useParams({ strict: false })
  const open = conversationId ?? username
  // The list shows the folder of the open conversation, also after the conversation has moved.
  const conversation = useOpenConversation(conversationId)
  const folder = useSearch({ strict: false }).folder ?? conversation?.folder ?? 'inbox'
  const list = useInfiniteQuery(conversationsQuery(folder)).data
  // Without conversations, only the list is shown, with its empty state.
  const isPaned = open !== undefined || list?.items.length !== 0
  return (
    <Page title={messages.title} intro={open ? undefined : messages.intro}>
      <div
        className={classNames(
          'grid items-start gap-6',
          isPaned && 'lg:grid-cols-[21rem_minmax(0,1fr)]',
        )}
      >
        <div className={classNames('min-w-0', open !== undefined && 'max-lg:hidden')}>
          <FolderLinks current={folder} />
          <ConversationList folder={folder} open={open} />
        </div>
        {isPaned && (
          <Pane open={open !== undefined}>
            {conversationId && <OpenConversation key={conversationId} id={conversationId} />}
            {username && <FirstMessage key={username} username={username} />}
          </Pane>
        )}
      </div>
    </Page>
  )
}

function Pane({ open, children }: { open: boolean; children: ReactNode }) {
  if (!open) {
    return (
      <div className="max-lg:hidden">
        <EmptyState icon={MessageSquareText} title={messages.choose.title}>
          {messages.choose.text}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="grid min-w-0 gap-3">
      <Link
        to="/messages"
        className="inline-flex items-center gap-1.5 justify-self-start text-[0.9375rem] text-ink-soft no-underline hover:text-ink lg:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {messages.all}
      </Link>
      <Card className="flex flex-col p-4 sm:p-6">{children}</Card>
    </div>
  )
}
