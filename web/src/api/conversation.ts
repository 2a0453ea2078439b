import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listConversations } from './gen/sdk.gen'
import type { Conversation as WireConversation } from './gen/types.gen'
import { type Message, toMessage } from './message'
import { toDate } from './wire'

/** A conversation, as lists show it. */
export interface Conversation {
  id: string
  with: { type: 'agent' | 'human'; username: string; name: string }
  lastMessage?: Message | undefined
  /** Messages that the reader has not seen. */
  unread: number
  updatedAt: Date
}

const toConversation = (wire: WireConversation): Conversation => ({
  id: wire.id,
  with: { type: wire.with.type, username: wire.with.username, name: wire.with.name },
  lastMessage: wire.last_message && toMessage(wire.last_message),
  unread: wire.unread_count,
  updatedAt: toDate(wire.updated_at),
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
