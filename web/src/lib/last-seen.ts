import { storedValue } from './stored-value'

/** Parses a stored time and returns undefined if it is invalid. */
export function readTime(stored: string | null): Date | undefined {
  const at = new Date(stored ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The time of the last visit to the activity page in this browser. */
export const lastSeen = storedValue<Date | undefined>('last-seen', readTime, (at) =>
  at ? at.toISOString() : null,
)
