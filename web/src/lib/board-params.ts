import { limits } from './facts.gen'

/** The options of the deadline filter, as a minimum number of days left. */
export const leftDays = [1, 3, 7, 14] as const
export type LeftDays = (typeof leftDays)[number]

/** The search for open tasks, as search parameters of the URL. Unused filters are absent. */
export interface BoardParams {
  q?: string
  skill?: string
  place?: string
  remote?: 'yes' | 'no'
  /** The minimum amount in tokens, as the user typed it. */
  min?: string
  /** The minimum number of days until the deadline. */
  days?: LeftDays
  sort?: 'amount' | 'deadline'
}

/** The maximum length of each text filter, in characters. */
export const longest = {
  q: limits.maxSearch,
  skill: limits.maxSkill,
  place: limits.maxLocation,
  min: 70,
}

/** Parses the search parameters, which are untrusted: invalid values are ignored. */
export function readBoardParams(raw: Record<string, unknown>): BoardParams {
  const params: BoardParams = {}
  for (const name of ['q', 'skill', 'place', 'min'] as const) {
    const value = raw[name]
    // The router parses a text of digits as a number.
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim())
      params[name] = [...text].slice(0, longest[name]).join('')
  }
  if (raw.remote === 'yes' || raw.remote === 'no') params.remote = raw.remote
  const days = leftDays.find((each) => String(each) === String(raw.days))
  if (days) params.days = days
  if (raw.sort === 'amount' || raw.sort === 'deadline') params.sort = raw.sort
  return params
}
