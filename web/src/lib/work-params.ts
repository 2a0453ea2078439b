/** The sections of "My work", in the order in which a task moves through them. */
export const workParts = ['applied', 'active', 'review', 'disputed', 'done'] as const
export type WorkPart = (typeof workParts)[number]

/** Parses the search parameters of "My work"; invalid values are ignored. */
export function readWorkParams(raw: Record<string, unknown>): { part?: WorkPart } {
  const part = workParts.find((each) => each === raw.part)
  return part ? { part } : {}
}
