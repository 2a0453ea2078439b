/** The parts of somebody's work, in the order in which a task goes through them. */
export const workParts = ['applied', 'active', 'review', 'disputed', 'done'] as const
export type WorkPart = (typeof workParts)[number]

/** Reads the address bar of the page of somebody's work; what makes no sense is left out. */
export function readWorkParams(raw: Record<string, unknown>): { part?: WorkPart } {
  const part = workParts.find((each) => each === raw.part)
  return part ? { part } : {}
}
