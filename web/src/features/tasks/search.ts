import type { BoardSearch } from '@/api/task'
import { parseAmount } from '@/lib/amount'
import type { BoardParams } from '@/lib/board-params'

/** The API's search for what the address bar asks. An amount that is none is not searched for. */
export function toBoardSearch({ q, skill, place, remote, min, sort }: BoardParams): BoardSearch {
  return {
    q: q?.trim(),
    skill,
    location: place?.trim(),
    remote: remote === undefined ? undefined : remote === 'yes',
    minAmount: min === undefined ? undefined : parseAmount(min),
    sort,
  }
}
