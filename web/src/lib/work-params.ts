/** The sections of "My work", in the order in which a task passes them. */
export const workParts = ['applied', 'active', 'review', 'disputed', 'done'] as const
export type WorkPart = (typeof workParts)[number]

/** Reads the address bar of "My work"; invalid values are left out. */
export function readWorkParams(raw: Record<string, unknown>): { part?: WorkPart } {
  const part = workParts.find((each) => each === raw.part)
  return part ? { part } : {}
}
