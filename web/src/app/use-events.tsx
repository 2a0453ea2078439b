import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readMissed } from '@/api/activity'
import { affects, eventsStart, followEvents, isNew, type MarketEvent } from '@/api/events'
import { invalidate } from '@/api/invalidate'
import { useSession } from '@/api/session'
import { storedTransactions } from '@/chain/stored-transactions'
import { isShown } from '@/chain/transactions'
import { countNews, isAfter, startNews } from '@/lib/news'
import { serverNow } from '@/lib/now'
import { excerpt, visible } from '@/lib/user-text'
import { toast } from '@/ui/toast'
import { UserLine, UserName } from '@/ui/user-text'

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

// The number of characters of a task's title or a name in a toast.
const longest = 60

/** An event with the task or the person that it is about. */
export function News({ item }: { item: NonNullable<MarketEvent['activity']> }) {
  const { title, task_title: task, counterparty_name: name } = item
  return (
    <>
      <span className="block">{visible(title)}</span>
      {task && <UserLine>{excerpt(task, longest)}</UserLine>}
      {!task && name && <UserName>{excerpt(name, longest)}</UserName>}
    </>
  )
}

/**
 * When an event arrives, counts it as news, refetches the affected data and shows it in a toast. The
 * events between the last visit and this one are only counted.
 */
export function useEvents() {
  const queries = useQueryClient()
  const human = useSession()
  const humanId = human?.id

  useEffect(() => {
    if (!humanId) return
    const displayedIds = new Set<string>()
    let received: MarketEvent[] = []
    let waiting: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      const events = received
      received = []
      waiting = undefined
      void invalidate(queries, ({ queryKey }) => events.some((each) => affects(each, queryKey)))
    }
    const start = eventsStart()
    const stop = followEvents(startNews(humanId, start), (event, position) => {
      const item = event.activity
      if (event.type === 'reset') {
        readMissed().then(
          (missed) => countNews(missed.position, missed.items),
          () => undefined, // the next visit finds the same gap
        )
      } else {
        countNews(position, item && isNew(item) ? [item.id] : [])
        if (!isAfter(position, start)) return
      }
      received.push(event)
      waiting ??= setTimeout(refresh, batchInterval)
      if (!item || !isNew(item) || displayedIds.has(item.id)) return
      displayedIds.add(item.id)
      const age = serverNow().getTime() - Date.parse(event.created_at)
      if (age < maxAge && !isOnScreen(item)) toast(<News item={item} />)
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [queries, humanId])
}
