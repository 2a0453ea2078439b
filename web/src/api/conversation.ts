import { queryOptions } from '@tanstack/react-query'
import { listConversations } from './gen/sdk.gen'
import type { Conversation as WireConversation } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { toDate } from './wire'

const toConversation = (wire: WireConversation) => ({
  id: wire.id,
  with: { type: wire.with.type, username: wire.with.username, name: wire.with.display_name },
  /** The beginning of the last message; absent if the conversation is empty. */
  lastMessage:
    wire.last_message_preview === undefined
      ? undefined
      : { mine: wire.last_message_sender_type === 'human', text: wire.last_message_preview },
  /** The number of messages that the signed-in human has not read. */
  unread: wire.unread_count,
  updatedAt: toDate(wire.last_message_at),
})

/** A conversation, with the fields that lists show. */
export type Conversation = ReturnType<typeof toConversation>

/** The signed-in human's conversations, most recent first, in pages. */
export const conversationsQuery = {
  ...listQuery(['conversations', 'list'], 30, async (query, signal) => {
    const page = await listConversations({ query, signal })
    return toPage(page, page.conversations.map(toConversation))
  }),
  refetchInterval: 30_000,
}

/** The number of unread direct messages. */
export const unreadMessagesQuery = queryOptions({
  queryKey: ['conversations', 'unread'],
  refetchInterval: 60_000,
  queryFn: async ({ signal }) =>
    (await listConversations({ query: { page_size: 1 }, signal })).unread_total,
})
