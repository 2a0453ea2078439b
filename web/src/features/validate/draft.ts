import { remembered } from '@/lib/remembered'

/** A reason that somebody has written and not signed yet. It outlives a closed tab. */
interface Draft {
  task: string
  reason: string
}

const most = 10

/** The reasons of this browser by task, the last changed first. */
export const reasons = remembered<readonly Draft[]>('verdict-reasons', read, (all) =>
  all.length === 0 ? null : JSON.stringify(all),
)

/** Keeps the reason for a task; an empty one is forgotten. */
export function keepReason(task: string, reason: string) {
  reasons.update((all) => {
    const others = all.filter((each) => each.task !== task)
    return reason ? [{ task, reason }, ...others].slice(0, most) : others
  })
}

function read(stored: string | null): readonly Draft[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(all) ? all.filter(isDraft) : []
  } catch {
    return []
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { task, reason } = value as Record<string, unknown>
  return typeof task === 'string' && typeof reason === 'string'
}
