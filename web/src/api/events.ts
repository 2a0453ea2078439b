import { unauthorized } from '@/lib/event'
import type { Event as Wire } from './gen/types.gen'

/** An event for the signed-in human. */
export type News = Wire

const path = '/api/v1/events'
// Between attempts after failures, in ms: the first, doubled up to the last.
const firstPause = 2_000
const longestPause = 60_000

/** The pause after so many failures in a row: spread out, so that not all come back at once. */
export function pauseAfter(failures: number, random = Math.random): number {
  const pause = Math.min(longestPause, firstPause * 2 ** (failures - 1))
  return pause / 2 + random() * (pause / 2)
}

// Where the log stood when the session was read, and so before all that is read for it.
let beginning: string | undefined

/** Sets the position in the event log after which all events are new to the signed-in human. */
export function beginNewsAfter(id: string) {
  beginning = id
}

/**
 * Follows the events since the session was read, until the returned function is called. A lost
 * connection resumes at its position. A hidden page has no connection: browsers allow few
 * connections to one server, and all tabs share them.
 */
export function followNews(hear: (news: News) => void): () => void {
  let source: EventSource | undefined
  let after = beginning
  let failures = 0
  let waiting: ReturnType<typeof setTimeout> | undefined

  const take = (event: MessageEvent<string>) => {
    after = event.lastEventId
    hear(JSON.parse(event.data) as News)
  }
  const close = () => {
    clearTimeout(waiting)
    source?.close()
    source = undefined
  }
  const open = () => {
    close()
    source = new EventSource(after ? `${path}?after=${after}` : path)
    for (const type of ['activity', 'task', 'application', 'reset'])
      source.addEventListener(type, take)
    source.addEventListener('open', () => {
      failures = 0
    })
    source.addEventListener('error', () => {
      // The browser itself goes on after a cut; a refusal ends its attempts, and ours are slower.
      if (source?.readyState !== EventSource.CLOSED) return
      failures += 1
      unauthorized.emit() // it does not say why: the session may be over
      waiting = setTimeout(open, pauseAfter(failures))
    })
  }
  const look = () => {
    if (document.visibilityState === 'hidden') close()
    else if (!source) open()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}

/** Whether an item of the feed has just happened, and has not become final or been taken back. */
export function isNew({ status, tx_hash }: NonNullable<News['activity']>): boolean {
  return status === 'pending' || tx_hash === undefined
}

// What an item of the feed is about beside itself, as the keys of queries begin.
const touched: Record<string, readonly string[]> = {
  task: ['task', 'tasks', 'funds', 'validations'],
  application: ['task', 'tasks', 'funds'],
  payout: ['task', 'tasks', 'funds'],
  dispute: ['task', 'tasks', 'validations'],
  review: ['task', 'reviews', 'profile'],
  claim: [],
  message: ['task', 'messages'],
  dm: ['messages', 'conversations'],
}

/** Whether news make what a query has read old. */
export function makesOld(news: News, key: readonly unknown[]): boolean {
  const [root, id] = key
  switch (news.type) {
    case 'reset':
      return root !== 'session'
    case 'task':
    case 'application':
      if (root === 'task') return id === news.task_id
      return ['tasks', 'funds', 'activity', 'validations'].includes(String(root))
    default:
      return root === 'activity' || Boolean(concerns(news, String(root), id))
  }
}

function concerns(news: News, root: string, id: unknown): boolean | undefined {
  const item = news.activity
  if (!item || !touched[item.event_type]?.includes(root)) return false
  // An application's item names no task.
  return root !== 'task' || item.event_type === 'application' || id === item.related_id
}
