/** The types of activity in the filter, in its order. */
export const activityTypes = [
  'task',
  'application',
  'payout',
  'dispute',
  'review',
  'message',
  'dm',
] as const

/** The periods of the filter, in days. */
export const activitySpans = ['1', '7', '30'] as const

/** The filter of the activity page. */
export interface ActivityParams {
  type?: (typeof activityTypes)[number]
  /** The age of the oldest event, in days. */
  days?: (typeof activitySpans)[number]
}

/** Reads the search parameters, which are untrusted: invalid values are left out. */
export function readActivityParams(raw: Record<string, unknown>): ActivityParams {
  const type = activityTypes.find((each) => each === raw.type)
  const days = activitySpans.find((each) => each === String(raw.days))
  return { ...(type ? { type } : {}), ...(days ? { days } : {}) }
}
