import { useInfiniteQuery } from '@tanstack/react-query'
import { conversationsQuery } from '@/api/conversation'
import { directMessagesQuery } from '@/api/message'

/** The open conversation; undefined until its messages are loaded. */
export function useOpenConversation(id: string | undefined) {
  const thread = useInfiniteQuery({ ...directMessagesQuery(id ?? ''), enabled: id !== undefined })
  return thread.data?.conversation
}

/**
 * Finds the signed-in human's conversation with a user in the loaded pages of all folders. `isPending`
 * while a folder has not been loaded.
 */
export function useConversationWith(username: string) {
  const inbox = useInfiniteQuery(conversationsQuery('inbox'))
  const requests = useInfiniteQuery(conversationsQuery('requests'))
  const blocked = useInfiniteQuery(conversationsQuery('blocked'))
  const lists = [inbox, requests, blocked]
  return {
    conversation: lists
      .flatMap(({ data }) => data?.items ?? [])
      .find((each) => each.with.username.toLowerCase() === username.toLowerCase()),
    isPending: lists.some(({ isPending }) => isPending),
  }
}
