import type { BoardSearch } from '@/api/task'
import { parseAmount } from '@/lib/amount'
import type { BoardParams } from '@/lib/board-params'
import { serverNow } from '@/lib/now'

/** Converts the search parameters of the URL to an API search. An invalid amount is ignored. */
export function toBoardSearch({
  q,
  skill,
  place,
  remote,
  min,
  days,
  sort,
}: BoardParams): BoardSearch {
  return {
    q: q?.trim(),
    skill,
    location: place?.trim(),
    remote: remote === undefined ? undefined : remote === 'yes',
    minAmount: min === undefined ? undefined : parseAmount(min),
    dueAfter: days === undefined ? undefined : afterDays(days),
    sort,
  }
}

const hour = 3_600_000

/**
 * Returns the time in `days` days, rounded down to the hour, so that equal searches have equal
 * query keys.
 */
const afterDays = (days: number) =>
  new Date((Math.floor(serverNow().getTime() / hour) + 24 * days) * hour)
