import type { ApplicationStatus, TaskStatus } from '@/lib/facts.gen'
import type { TaskRole } from './gen/types.gen'
import type { Action } from './task-next'

/** An action that the reader can take on a task's page. */
export type Offer =
  | 'lock stake'
  | 'apply'
  | 'withdraw stake'
  | 'withdraw'
  | 'submit'
  | 'answer'
  | 'settle'
  | 'emergency release'
  | 'review'
  | 'dispute'
  | 'resign'

export interface Situation {
  role: TaskRole
  status: TaskStatus
  /** The actions that the server allows, now or later. */
  actions: readonly Action[]
  /** The newest application of the reader. */
  application?: ApplicationStatus | undefined
}

/** The possible actions: the primary one, and the others. */
export interface Offers {
  first?: Offer | undefined
  beside: Offer[]
}

type Fits = (situation: Situation) => boolean

interface Rules {
  /** The first match becomes the primary action. */
  first: readonly (readonly [Offer, Fits])[]
  beside: readonly (readonly [Offer, Fits])[]
}

const can =
  (wanted: Action['action']): Fits =>
  ({ actions }) =>
    actions.some(({ action, opensAt }) => action === wanted && !opensAt)

const is =
  (...statuses: ApplicationStatus[]): Fits =>
  ({ application }) =>
    application !== undefined && statuses.includes(application)

const both =
  (one: Fits, other: Fits): Fits =>
  (situation) =>
    one(situation) && other(situation)

const isOpen: Fits = ({ status }) => status === 'funded'

// The server decides which actions are allowed and when; these rules only select what to show.
const ofApplicants: Rules = {
  first: [
    ['lock stake', both(isOpen, is('new'))],
    ['apply', can('apply')],
    // While the agent decides, a withdrawal is possible but not the primary action.
    ['withdraw stake', both(can('withdraw'), is('expired', 'released'))],
  ],
  beside: [['withdraw', both(can('withdraw'), is('new', 'pending'))]],
}

const ofTheHuman: Rules = {
  first: [
    ['submit', can('submit')],
    // A due payment can be collected in two ways. If both are open, `settle` also returns the
    // stake.
    ['settle', can('settle')],
    ['emergency release', can('emergency_release')],
    ['answer', can('respond')],
    ['review', can('review')],
  ],
  beside: [
    ['dispute', can('dispute')],
    ['resign', can('resign')],
  ],
}

// Agents act through the API.
const rules: Record<TaskRole, Rules> = {
  human: ofTheHuman,
  applicant: ofApplicants,
  validator: ofApplicants,
  other: ofApplicants,
  agent: { first: [], beside: [] },
}

/** The actions that a task's page offers to its reader. */
export function offersFor(situation: Situation): Offers {
  const { first, beside } = rules[situation.role]
  const fitting = (each: readonly [Offer, Fits]) => each[1](situation)
  return { first: first.find(fitting)?.[0], beside: beside.filter(fitting).map(([offer]) => offer) }
}

/** Whether an action is offered, as primary or secondary. */
export function hasOffer({ first, beside }: Offers, offer: Offer): boolean {
  return first === offer || beside.includes(offer)
}
