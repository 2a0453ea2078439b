/** The kinds of activity that the feed can be narrowed to, in the order of the page. */
export const activityTypes = [
  'task',
  'application',
  'payout',
  'dispute',
  'review',
  'message',
  'dm',
] as const

/** The parts of the past that the feed can be narrowed to, in days. */
export const activitySpans = ['1', '7', '30'] as const

/** The filters of the feed as the address bar has them. */
export interface ActivityParams {
  type?: (typeof activityTypes)[number]
  /** Only what happened in so many days. */
  days?: (typeof activitySpans)[number]
}

/** Reads the address bar, which is untrusted: invalid values are left out. */
export function readActivityParams(raw: Record<string, unknown>): ActivityParams {
  const type = activityTypes.find((each) => each === raw.type)
  const days = activitySpans.find((each) => each === String(raw.days))
  return { ...(type ? { type } : {}), ...(days ? { days } : {}) }
}
