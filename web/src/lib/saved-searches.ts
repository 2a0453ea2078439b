import { messages } from '@/messages/board'
import { type BoardParams, readBoardParams } from './board-params'
import { parseList, storedValue } from './stored-value'

/** A saved search for open tasks. */
export interface SavedSearch {
  name: string
  params: BoardParams
}

/** The maximum number of stored searches. */
export const maxSearches = 20
export const longestName = 60

/** Parses the stored searches, which are untrusted: invalid values are ignored. */
export function readSearches(stored: string | null): SavedSearch[] {
  return parseList(stored).flatMap(readSearch).slice(0, maxSearches)
}

function readSearch(value: unknown): SavedSearch[] {
  if (typeof value !== 'object' || value === null) return []
  if (!('name' in value && 'params' in value)) return []
  const { name, params } = value
  if (typeof name !== 'string' || !name.trim()) return []
  if (typeof params !== 'object' || params === null) return []
  const read = readBoardParams({ ...params })
  return Object.keys(read).length > 0 ? [{ name: name.slice(0, longestName), params: read }] : []
}

/** The searches saved in this browser, oldest first. */
export const savedSearches = storedValue<SavedSearch[]>('searches', readSearches, (searches) =>
  searches.length > 0 ? JSON.stringify(searches) : null,
)

/** Whether two searches are equal, regardless of the order of their fields. */
export function sameSearch(a: BoardParams, b: BoardParams): boolean {
  const sorted = (params: BoardParams) => JSON.stringify(Object.entries(params).sort())
  return sorted(a) === sorted(b)
}

/** Describes a search in a few words, to be used as its name. */
export function describeSearch(params: BoardParams, symbol: string): string {
  const words = [
    params.q && `“${params.q}”`,
    params.skill,
    params.place,
    params.remote && messages.summary.remote[params.remote],
    params.min && messages.summary.minimum(`${params.min} ${symbol}`),
    params.days && messages.summary.daysLeft(params.days),
    params.sort && messages.summary.sort[params.sort],
  ]
  return words.filter(Boolean).join(', ').slice(0, longestName)
}
