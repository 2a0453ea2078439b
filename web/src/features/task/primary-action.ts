import type { ApplicationStatus } from '@/api/application'
import type { TaskStatus } from '@/api/task'
import type { Action, TaskRole } from '@/api/task-next'

/** The one thing that a task's page offers first. */
export type PrimaryAction = 'apply' | 'lock stake' | 'take stake back'

export interface Situation {
  role: TaskRole
  status: TaskStatus
  /** What the server says can be done now or later. */
  actions: readonly Action[]
  /** The newest application of the reader. */
  application?: ApplicationStatus | undefined
}

type Rule = readonly [PrimaryAction, (situation: Situation) => boolean]

const can = ({ actions }: Situation, wanted: Action['action']) =>
  actions.some(({ action, opensAt }) => action === wanted && !opensAt)

// The first that fits. Who may do what and when, the server has said; this only chooses.
const rules: readonly Rule[] = [
  ['lock stake', (s) => s.status === 'funded' && s.application === 'new'],
  ['apply', (s) => can(s, 'apply')],
  // While the agent decides, taking it back is possible but not what one came for.
  ['take stake back', (s) => can(s, 'withdraw') && isOver(s.application)],
]

const isOver = (application: ApplicationStatus | undefined) =>
  application === 'expired' || application === 'released'

/** What to offer first on a task's page, for what the reader is to it; undefined for nothing. */
export function primaryAction(situation: Situation): PrimaryAction | undefined {
  return rules.find(([, fits]) => fits(situation))?.[0]
}
