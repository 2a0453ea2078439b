import { storedValue } from './stored-value'

/** What is new for a human in this browser. The server orders events, so times do not matter. */
export interface News {
  /** The human's id. */
  human: string
  /** The position in the event log up to which events have been counted. */
  after: string
  /** The ids of the feed items that the human has not seen, oldest first. */
  unseen: readonly string[]
}

// More are shown as "99+".
const maxUnseen = 100

/** Parses stored news, which are untrusted. */
export function readNews(stored: string | null): News | undefined {
  try {
    const { human, after, unseen } = JSON.parse(stored ?? '') as Partial<Record<string, unknown>>
    if (typeof human !== 'string' || typeof after !== 'string' || !Array.isArray(unseen))
      return undefined
    return { human, after, unseen: unseen.filter((id) => typeof id === 'string') }
  } catch {
    return undefined
  }
}

/** The news of the human who is signed in. */
export const news = storedValue<News | undefined>('news', readNews, (value) =>
  value ? JSON.stringify(value) : null,
)

/**
 * Whether a position in the event log follows another one. A position is the name of the log and a
 * number: `5f0c19ab-90210`. All positions in a new log follow those in the old one.
 */
export function isAfter(position: string, other: string): boolean {
  const [log, number = 0] = position.split('-')
  const [otherLog, otherNumber = 0] = other.split('-')
  return log !== otherLog || Number(number) > Number(otherNumber)
}

/**
 * Begins to count for a human, and returns the position after which to count. On the first visit
 * with this browser, only events after `now` are new.
 */
export function startNews(human: string, now: string): string {
  news.update((value) => (value?.human === human ? value : { human, after: now, unseen: [] }))
  return news.get()?.after ?? now
}

/** Counts an event, once in all tabs. `items` are the ids of the feed items that it adds. */
export function countNews(position: string, items: readonly string[]) {
  news.update((value) => {
    if (!value || !isAfter(position, value.after)) return value
    const unseen = [...new Set([...value.unseen, ...items])].slice(-maxUnseen)
    return { ...value, after: position, unseen }
  })
}

/** Records that the human has seen the feed. */
export const markSeen = () => news.update((value) => value && { ...value, unseen: [] })
