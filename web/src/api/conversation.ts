import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Folder, folders } from '@/lib/messages-params'
import {
  acceptConversation,
  blockConversation,
  listConversations,
  muteConversation,
  unblockConversation,
  unmuteConversation,
} from './gen/sdk.gen'
import type { Conversation as WireConversation } from './gen/types.gen'
import { invalidate } from './invalidate'
import { listQuery, toPage } from './list'
import { toDate } from './wire'

/** Converts a conversation of the API. A folder that this app does not know counts as the inbox. */
export const toConversation = (wire: WireConversation) => ({
  id: wire.id,
  with: { type: wire.with.type, username: wire.with.username, name: wire.with.display_name },
  folder: folders.find((name) => name === wire.folder) ?? 'inbox',
  muted: wire.is_muted,
  /** The beginning of the last message; absent if the conversation is empty. */
  lastMessage:
    wire.last_message_preview === undefined
      ? undefined
      : { mine: wire.last_message_sender_type === 'human', text: wire.last_message_preview },
  /** The number of unread messages; always 0 for requests and for blocked or muted conversations. */
  unread: wire.unread_count,
  updatedAt: toDate(wire.last_message_at),
})

/** A conversation, with the fields that lists show. */
export type Conversation = ReturnType<typeof toConversation>

/** The signed-in human's conversations in a folder, most recent first, in pages. */
export const conversationsQuery = (folder: Folder) => ({
  ...listQuery(['conversations', 'list', folder], 30, async (query, signal) => {
    const page = await listConversations({ query: { ...query, folder }, signal })
    return toPage(page, page.conversations.map(toConversation))
  }),
  refetchInterval: 30_000,
})

/** The number of unread direct messages. */
export const unreadMessagesQuery = queryOptions({
  queryKey: ['conversations', 'unread'],
  refetchInterval: 60_000,
  queryFn: async ({ signal }) =>
    (await listConversations({ query: { page_size: 1 }, signal })).unread_total,
})

const acts = {
  accept: acceptConversation,
  mute: muteConversation,
  unmute: unmuteConversation,
  block: blockConversation,
  unblock: unblockConversation,
}

/** What the signed-in human can do with a conversation, apart from writing. */
export type ConversationAct = keyof typeof acts

/**
 * Changes the signed-in human's side of a conversation. Then refetches the lists, and the messages,
 * which accepting a request marks as read.
 */
export function useConversationAct(conversationId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (act: ConversationAct) => acts[act]({ path: { conversationId } }),
    onSuccess: () =>
      invalidate(
        queries,
        ({ queryKey: [root, , id] }) =>
          root === 'conversations' || (root === 'messages' && id === conversationId),
      ),
  })
}
