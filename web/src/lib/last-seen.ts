import { storedValue } from './stored-value'

/** What a time in the browser's storage means; what is none never was. */
export function readTime(stored: string | null): Date | undefined {
  const at = new Date(stored ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** When the reader last looked at what happened. Kept in this browser. */
export const lastSeen = storedValue<Date | undefined>('last-seen', readTime, (at) =>
  at ? at.toISOString() : null,
)
