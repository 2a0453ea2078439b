/** The activity types that the filter offers, in the order of the options. */
export const activityTypes = [
  'task',
  'application',
  'payout',
  'dispute',
  'review',
  'message',
  'dm',
] as const

/** The periods that the filter offers, in days. */
export const activitySpans = ['1', '7', '30'] as const

/** The filters of the activity page, as search parameters of its URL. */
export interface ActivityParams {
  type?: (typeof activityTypes)[number]
  /** The maximum age of the events, in days. */
  days?: (typeof activitySpans)[number]
}

/** Parses the search parameters, which are untrusted: invalid values are ignored. */
export function readActivityParams(raw: Record<string, unknown>): ActivityParams {
  const type = activityTypes.find((each) => each === raw.type)
  const days = activitySpans.find((each) => each === String(raw.days))
  return { ...(type ? { type } : {}), ...(days ? { days } : {}) }
}
