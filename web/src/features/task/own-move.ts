import type { Action } from '@/api/task-next'

/** What the human of a task can do on the chain beside handing in. */
export type OwnMove = 'settle' | 'emergency_release' | 'dispute' | 'resign'

const inOrder: OwnMove[] = ['settle', 'emergency_release', 'dispute', 'resign']

/**
 * What is open now, the most wanted first. Of the two ways to collect a payment that is due one
 * is enough: `settle` also returns it where both are open.
 */
export function ownMoves(actions: Action[]): OwnMove[] {
  const open = inOrder.filter((move) =>
    actions.some(({ action, opensAt }) => action === move && opensAt === undefined),
  )
  return open.includes('settle') ? open.filter((move) => move !== 'emergency_release') : open
}
