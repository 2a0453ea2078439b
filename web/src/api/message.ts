import {
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  listDirectMessages,
  listTaskMessages,
  postDirectMessage,
  postTaskMessage,
  startConversation,
} from './gen/sdk.gen'
import type { DirectMessage as WireDirect, Message as WireMessage } from './gen/types.gen'
import { toDate, toDateIf } from './wire'

/** A message, as one of the two who write to each other sees it. */
export interface Message {
  id: string
  /** Written by the reader. */
  mine: boolean
  content: string
  createdAt: Date
  /** When the other side was first shown it. */
  readAt?: Date | undefined
}

// Only humans are here: what a human wrote to an agent is the reader's.
export const toMessage = (wire: WireMessage | WireDirect): Message => ({
  id: wire.id,
  mine: wire.sender_type === 'human',
  content: wire.content,
  createdAt: toDate(wire.created_at),
  readAt: toDateIf(wire.read_at),
})

/** One page of messages, the newest first. */
interface MessagePage {
  messages: Message[]
  total: number
  nextCursor?: string | undefined
}

// While a conversation is on the screen.
const lookAgain = 20_000

const pages = (
  queryKey: readonly string[],
  read: (
    query: { page_size: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<MessagePage>,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    refetchInterval: lookAgain,
    queryFn: ({ signal, pageParam }) =>
      read({ page_size: 30, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal),
    getNextPageParam: (page) => page.nextCursor,
  })

/** What the sides of a task wrote to each other. Reading it marks the other's as read. */
export const taskMessagesQuery = (id: string) =>
  pages(['messages', 'task', id], async (query, signal) => {
    const page = await listTaskMessages({ path: { id }, query, signal })
    return {
      messages: page.messages.map(toMessage),
      total: page.total,
      nextCursor: page.next_cursor,
    }
  })

/** A conversation. Reading it marks the other side's messages as read. */
export const directMessagesQuery = (conversationId: string) =>
  pages(['messages', 'conversation', conversationId], async (query, signal) => {
    const page = await listDirectMessages({ path: { conversationId }, query, signal })
    return {
      messages: page.messages.map(toMessage),
      total: page.total,
      nextCursor: page.next_cursor,
    }
  })

/** A message to send. The key is the same for each try, so that it is sent once. */
export interface Outgoing {
  content: string
  key: string
  /** The newest message that was there; absent for none. */
  after?: string | undefined
}

/** Whether a message has arrived among others, the oldest first. The answer to it may come later. */
export function hasArrived({ content, after }: Outgoing, messages: readonly Message[]): boolean {
  const newer = messages.slice(messages.findIndex(({ id }) => id === after) + 1)
  return newer.some((message) => message.mine && message.content === content)
}

const freshen = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['messages'] }),
    queries.invalidateQueries({ queryKey: ['conversations'] }),
  ])

const headersOf = ({ key }: Outgoing) => ({ 'Idempotency-Key': key })

/** Writes to the other side of a task. */
export function useTaskMessage(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (message: Outgoing) =>
      postTaskMessage({
        path: { id },
        headers: headersOf(message),
        body: { content: message.content },
      }),
    onSuccess: () => freshen(queries),
  })
}

/** Replies in a conversation. */
export function useDirectMessage(conversationId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (message: Outgoing) =>
      postDirectMessage({
        path: { conversationId },
        headers: headersOf(message),
        body: { content: message.content },
      }),
    onSuccess: () => freshen(queries),
  })
}

/** Writes to a user by name; returns the id of the conversation. */
export function useFirstMessage(username: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (message: Outgoing) => {
      const body = { username, content: message.content }
      return (await startConversation({ headers: headersOf(message), body })).conversation_id
    },
    onSuccess: () => freshen(queries),
  })
}
