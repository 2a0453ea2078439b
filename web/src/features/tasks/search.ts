import type { BoardSearch } from '@/api/task'
import { parseAmount } from '@/lib/amount'
import type { BoardParams } from '@/lib/board-params'

/** Converts the address bar's search to the API's. An invalid amount is left out. */
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

/** The time in so many days, rounded down to the hour, so that equal searches have equal keys. */
const afterDays = (days: number) => new Date((Math.floor(Date.now() / hour) + 24 * days) * hour)
