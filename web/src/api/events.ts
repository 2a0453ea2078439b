import { unauthorized } from '@/lib/event'
import type { Event as Wire } from './gen/types.gen'

/** An event for the signed-in human, or `reset` if events are missing. */
export type MarketEvent = Wire | { type: 'reset'; activity?: undefined }

const path = '/api/v1/events'
// The minimum and maximum delay between attempts, in ms. The delay doubles after each failure.
const minPause = 2_000
const maxPause = 60_000

/**
 * Returns the delay after consecutive failures, with jitter, so that clients do not all reconnect
 * at the same time.
 */
export function pauseAfter(failures: number, random = Math.random): number {
  const pause = Math.min(maxPause, minPause * 2 ** (failures - 1))
  return pause / 2 + random() * (pause / 2)
}

// The position in the event log at which the session was read.
let startAfter = ''

/** Sets the position in the event log. The pages' data contains all events up to it. */
export function startEventsAfter(id: string) {
  startAfter = id
}

/** Returns the position in the event log at which the session was read. */
export const eventsStart = (): string => startAfter

/**
 * Subscribes to the events after a position and returns a function that unsubscribes. `onEvent` also
 * receives the position of the event, which is empty for `reset`.
 *
 * After a lost connection the stream resumes at the last received event. A hidden page closes its
 * connection, because browsers limit the number of connections to one server across all tabs.
 */
export function followEvents(
  position: string,
  onEvent: (event: MarketEvent, position: string) => void,
): () => void {
  let source: EventSource | undefined
  let after = position
  let isGap = false
  let failures = 0
  let waiting: ReturnType<typeof setTimeout> | undefined

  const receive = ({ lastEventId, data }: MessageEvent<string>) => {
    after = lastEventId
    onEvent(JSON.parse(data) as MarketEvent, lastEventId)
  }
  const close = () => {
    clearTimeout(waiting)
    source?.close()
    source = undefined
  }
  // Requests the status that EventSource hides. If the log no longer contains the position, the next
  // connection begins now and reports the gap.
  const checkStatus = async () => {
    const query = new URLSearchParams({ follow: 'false', ...(after && { after }) })
    const { status } = await fetch(`${path}?${query}`)
    if (status === 401) unauthorized.emit()
    if (status !== 410) return
    after = ''
    isGap = true
  }
  const open = () => {
    close()
    const opened = new EventSource(after ? `${path}?after=${after}` : path)
    source = opened
    for (const type of ['activity', 'task', 'application']) opened.addEventListener(type, receive)
    opened.addEventListener('open', () => {
      failures = 0
      if (isGap) onEvent({ type: 'reset' }, '')
      isGap = false
    })
    opened.addEventListener('error', () => {
      // The browser reconnects automatically after a lost connection, but not after an HTTP error.
      // In that case this code reconnects, with increasing delays.
      if (opened.readyState !== EventSource.CLOSED) return
      failures += 1
      const retry = () => {
        if (source === opened) waiting = setTimeout(open, pauseAfter(failures))
      }
      checkStatus().then(retry, retry)
    })
  }
  const update = () => {
    if (document.visibilityState === 'hidden') close()
    else if (!source) open()
  }
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    close()
  }
}

/**
 * Whether an event adds an item to the feed. Items that became final or were reverted are not new.
 */
export function isNew({ status, tx_hash }: NonNullable<MarketEvent['activity']>): boolean {
  return status === 'pending' || tx_hash === undefined
}

// The roots of the query keys that each event type affects, in addition to the feed.
const affectedRoots: Record<string, readonly string[]> = {
  task: ['task', 'tasks', 'funds', 'validations'],
  application: ['task', 'tasks', 'funds'],
  payout: ['task', 'tasks', 'funds'],
  dispute: ['task', 'tasks', 'validations'],
  review: ['task', 'reviews', 'profile'],
  claim: [],
  message: ['task', 'messages'],
  dm: ['messages', 'conversations'],
}

/** Whether an event makes a query's data out of date. */
export function affects(event: MarketEvent, key: readonly unknown[]): boolean {
  const [root, id] = key
  switch (event.type) {
    case 'reset':
      return root !== 'session'
    case 'task':
    case 'application':
      if (root === 'task') return id === event.task_id
      return ['tasks', 'funds', 'activity', 'validations'].includes(String(root))
    default:
      return root === 'activity' || Boolean(concernsQuery(event, String(root), id))
  }
}

function concernsQuery(event: MarketEvent, root: string, id: unknown): boolean | undefined {
  const item = event.activity
  if (!item || !affectedRoots[item.event_type]?.includes(root)) return false
  // An item about an application does not contain the task's id.
  return root !== 'task' || item.event_type === 'application' || id === item.related_id
}
