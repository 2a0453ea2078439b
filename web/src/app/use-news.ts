import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followNews, isNew, makesOld, type News } from '@/api/events'
import { invalidate } from '@/api/invalidate'
import { useSession } from '@/api/session'
import { storedTransactions } from '@/chain/stored-transactions'
import { isShown } from '@/chain/transactions'
import { toast } from '@/ui/toast'

// A block may change much at once: what it makes old is read again once.
const gather = 250
// Older events happened while the page was hidden; the activity page lists them.
const fresh = 10 * 60_000

/** Whether what is on the screen says it: the conversation, or the transaction's own panel. */
function isSaid({ event_type, related_id, tx_hash }: NonNullable<News['activity']>): boolean {
  const { pathname } = window.location
  if (event_type === 'dm') return pathname === `/messages/${related_id}`
  if (event_type === 'message') return pathname === `/tasks/${related_id}`
  return storedTransactions.get().some((each) => each.hash === tx_hash && isShown(each))
}

/** Refreshes what is shown when an event arrives, and shows the event in a toast. */
export function useNews() {
  const queries = useQueryClient()
  const human = useSession()
  const whose = human?.id

  useEffect(() => {
    if (!whose) return
    const shownIds = new Set<string>()
    let received: News[] = []
    let waiting: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      const news = received
      received = []
      waiting = undefined
      void invalidate(queries, ({ queryKey }) => news.some((each) => makesOld(each, queryKey)))
    }
    const stop = followNews((news) => {
      received.push(news)
      waiting ??= setTimeout(refresh, gather)
      const item = news.activity
      if (!item || !isNew(item) || shownIds.has(item.id)) return
      shownIds.add(item.id)
      if (Date.now() - Date.parse(item.created_at) < fresh && !isSaid(item)) toast(item.title)
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [queries, whose])
}
