import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { affects, followEvents, isNew, type MarketEvent } from '@/api/events'
import { invalidate } from '@/api/invalidate'
import { useSession } from '@/api/session'
import { storedTransactions } from '@/chain/stored-transactions'
import { isShown } from '@/chain/transactions'
import { toast } from '@/ui/toast'

// In ms. A block can cause many events; the affected queries are refetched once per batch.
const batchInterval = 250
// In ms. Older events occurred while the page was hidden; the activity page lists them.
const maxAge = 10 * 60_000

/** Whether the page already shows the event, in the open conversation or the transaction panel. */
function isOnScreen({
  event_type,
  related_id,
  tx_hash,
}: NonNullable<MarketEvent['activity']>): boolean {
  const { pathname } = window.location
  if (event_type === 'dm') return pathname === `/messages/${related_id}`
  if (event_type === 'message') return pathname === `/tasks/${related_id}`
  return storedTransactions.get().some((each) => each.hash === tx_hash && isShown(each))
}

/** When an event arrives, refetches the affected data and shows the event in a toast. */
export function useEvents() {
  const queries = useQueryClient()
  const human = useSession()
  const humanId = human?.id

  useEffect(() => {
    if (!humanId) return
    const shownIds = new Set<string>()
    let received: MarketEvent[] = []
    let waiting: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      const events = received
      received = []
      waiting = undefined
      void invalidate(queries, ({ queryKey }) => events.some((each) => affects(each, queryKey)))
    }
    const stop = followEvents((event) => {
      received.push(event)
      waiting ??= setTimeout(refresh, batchInterval)
      const item = event.activity
      if (!item || !isNew(item) || shownIds.has(item.id)) return
      shownIds.add(item.id)
      if (Date.now() - Date.parse(item.created_at) < maxAge && !isOnScreen(item)) toast(item.title)
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [queries, humanId])
}
