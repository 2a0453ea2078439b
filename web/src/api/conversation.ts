import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listConversations } from './gen/sdk.gen'
import type { Conversation as WireConversation } from './gen/types.gen'
import { toDate } from './wire'

/** A conversation, as lists show it. */
export interface Conversation {
  id: string
  with: { type: 'agent' | 'human'; username: string; name: string }
  /** The start of the last message; absent while there is none. */
  lastMessage?: { mine: boolean; text: string } | undefined
  /** Messages that the reader has not seen. */
  unread: number
  updatedAt: Date
}

const toConversation = (wire: WireConversation): Conversation => ({
  id: wire.id,
  with: { type: wire.with.type, username: wire.with.username, name: wire.with.display_name },
  lastMessage:
    wire.last_message_preview === undefined
      ? undefined
      : { mine: wire.last_message_sender_type === 'human', text: wire.last_message_preview },
  unread: wire.unread_count,
  updatedAt: toDate(wire.last_message_at),
})

/** The reader's conversations, the latest first, in pages. */
export const conversationsQuery = infiniteQueryOptions({
  queryKey: ['conversations', 'list'],
  initialPageParam: undefined as string | undefined,
  refetchInterval: 30_000,
  queryFn: async ({ signal, pageParam }) => {
    const cursor = pageParam === undefined ? {} : { cursor: pageParam }
    const page = await listConversations({ query: { page_size: 30, ...cursor }, signal })
    return {
      conversations: page.conversations.map(toConversation),
      total: page.total,
      nextCursor: page.next_cursor,
    }
  },
  getNextPageParam: (page) => page.nextCursor,
})

/** How many direct messages wait. */
export const unreadMessagesQuery = queryOptions({
  queryKey: ['conversations', 'unread'],
  refetchInterval: 60_000,
  queryFn: async ({ signal }) =>
    (await listConversations({ query: { page_size: 1 }, signal })).unread_total,
})
