import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toConversation } from './conversation'
import {
  listDirectMessages,
  listTaskMessages,
  postDirectMessage,
  postTaskMessage,
  startConversation,
} from './gen/sdk.gen'
import type { DirectMessage as WireDirect, Message as WireMessage } from './gen/types.gen'
import { invalidate } from './invalidate'
import { listQuery, toList, toPage } from './list'
import { toDate } from './wire'

/** A message in a conversation, as the signed-in human sees it. */
export interface Message {
  id: string
  /** Whether the signed-in human wrote the message. */
  mine: boolean
  content: string
  createdAt: Date
  /** When the other party first read the message. */
  readAt?: Date | undefined
}

// Only humans use this app, so a message from a human was written by the signed-in human.
const toMessage = (wire: WireMessage | WireDirect): Message => ({
  id: wire.id,
  mine: wire.sender_type === 'human',
  content: wire.content,
  createdAt: toDate(wire.created_at),
  readAt: wire.read_at === undefined ? undefined : toDate(wire.read_at),
})

// The polling interval in ms while a conversation is displayed.
const refetchInterval = 20_000

/**
 * The messages between the two parties to a task. Reading them marks the other party's messages as
 * read.
 */
export const taskMessagesQuery = (id: string) => ({
  ...listQuery(['messages', 'task', id], 30, async (query, signal) => {
    const page = await listTaskMessages({ path: { id }, query, signal })
    return toPage(page, page.messages.map(toMessage))
  }),
  refetchInterval,
})

/**
 * The messages in a conversation, with the conversation as it was before they were read. Reading them
 * marks the other party's messages as read.
 */
export const directMessagesQuery = (conversationId: string) => {
  const query = listQuery(
    ['messages', 'conversation', conversationId],
    30,
    async (query, signal) => {
      const page = await listDirectMessages({ path: { conversationId }, query, signal })
      const conversation = toConversation(page.conversation)
      return { ...toPage(page, page.messages.map(toMessage)), conversation }
    },
  )
  return infiniteQueryOptions({
    ...query,
    refetchInterval,
    select: ({ pages }) => ({ ...toList(pages), conversation: pages[0]?.conversation }),
  })
}

/** A message to send. Retries reuse its idempotency key, so that it is sent only once. */
export interface Outgoing {
  content: string
  key: string
  /** The id of the newest message when this one was written; absent if there were no messages. */
  after?: string | undefined
}

/**
 * Whether a sent message is already in `messages`, which are sorted oldest first. The list can
 * contain it before the request's response arrives.
 */
export function hasArrived({ content, after }: Outgoing, messages: readonly Message[]): boolean {
  const newer = messages.slice(messages.findIndex(({ id }) => id === after) + 1)
  return newer.some((message) => message.mine && message.content === content)
}

/** Sends a message with `post`, then refetches the messages and the conversations. */
function useSending<T>(
  post: (request: { headers: { 'Idempotency-Key': string }; content: string }) => Promise<T>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key, content }: Outgoing) =>
      post({ headers: { 'Idempotency-Key': key }, content }),
    onSuccess: () =>
      invalidate(
        queries,
        ({ queryKey: [root] }) => root === 'messages' || root === 'conversations',
      ),
  })
}

/** Sends a message to the other party to a task. */
export const useTaskMessage = (id: string) =>
  useSending(({ headers, content }) =>
    postTaskMessage({ path: { id }, headers, body: { content } }),
  )

/** Replies in a conversation. */
export const useDirectMessage = (conversationId: string) =>
  useSending(({ headers, content }) =>
    postDirectMessage({ path: { conversationId }, headers, body: { content } }),
  )

/** Sends a message to the user with this name and returns the conversation's id. */
export const useFirstMessage = (username: string) =>
  useSending(async ({ headers, content }) => {
    const body = { username, content }
    return (await startConversation({ headers, body })).conversation_id
  })
