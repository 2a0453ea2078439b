import { useInfiniteQuery } from '@tanstack/react-query'
import { type Conversation, conversationsQuery } from '@/api/conversation'

/**
 * Finds a conversation of the signed-in human in the loaded pages of all folders. `isPending` while a
 * folder has not been loaded.
 */
export function useConversation(matches: (conversation: Conversation) => boolean) {
  const inbox = useInfiniteQuery(conversationsQuery('inbox'))
  const requests = useInfiniteQuery(conversationsQuery('requests'))
  const blocked = useInfiniteQuery(conversationsQuery('blocked'))
  const lists = [inbox, requests, blocked]
  return {
    conversation: lists.flatMap(({ data }) => data?.items ?? []).find(matches),
    isPending: lists.some(({ isPending }) => isPending),
  }
}
