import type { ApplicationStatus } from '@/lib/facts.gen'
import type { TaskRole } from './gen/types.gen'
import type { Action } from './task-next'

/** An action that the signed-in user can take on a task's page. */
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
  status: string
  /** The actions that the server allows now or at a later time. */
  actions: readonly Action[]
  now: Date
  /** The status of the signed-in user's newest application. */
  application?: string | undefined
}

/** The primary action and the secondary actions that a task's page offers. */
export interface Offers {
  first?: Offer | undefined
  beside: Offer[]
}

type Fits = (situation: Situation) => boolean

/** The rules for the primary action and for the secondary actions. */
interface Rules {
  /** The first matching rule determines the primary action. */
  first: readonly (readonly [Offer, Fits])[]
  beside: readonly (readonly [Offer, Fits])[]
}

const can =
  (wanted: Action['action']): Fits =>
  ({ actions, now }) =>
    actions.some(
      ({ action, opensAt, deadline }) =>
        action === wanted && (!opensAt || opensAt <= now) && (!deadline || now < deadline),
    )

const is =
  (...statuses: ApplicationStatus[]): Fits =>
  ({ application }) =>
    statuses.some((status) => status === application)

const both =
  (one: Fits, other: Fits): Fits =>
  (situation) =>
    one(situation) && other(situation)

const isOpen: Fits = ({ status }) => status === 'funded'

// The server decides which actions are allowed and when; these rules only select which of them to
// show.
const ofApplicants: Rules = {
  first: [
    ['lock stake', both(isOpen, is('new'))],
    ['apply', can('apply')],
    // While the agent can still decide, a withdrawal is possible but is not the primary action.
    ['withdraw stake', both(can('withdraw'), is('expired', 'released'))],
  ],
  beside: [
    ['withdraw', both(can('withdraw'), is('new', 'pending'))],
    // Only after a final rejection that forfeited the stake.
    ['review', can('review')],
  ],
}

const ofTheHuman: Rules = {
  first: [
    ['submit', can('submit')],
    // A due payment can be collected in two ways with the same effect. If both are possible,
    // `settle` is offered.
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

// Agents use the API, not this app. A role that is not listed has the rules of `other`.
const rules: Record<TaskRole, Rules> = {
  human: ofTheHuman,
  applicant: ofApplicants,
  validator: ofApplicants,
  other: ofApplicants,
  agent: { first: [], beside: [] },
}

/** Returns the actions that a task's page offers to the signed-in user. */
export function offersFor(situation: Situation): Offers {
  const { first, beside } = rules[situation.role] ?? ofApplicants
  const fitting = (each: readonly [Offer, Fits]) => each[1](situation)
  return { first: first.find(fitting)?.[0], beside: beside.filter(fitting).map(([offer]) => offer) }
}

/** Whether an action is offered, as primary or secondary. */
export function hasOffer({ first, beside }: Offers, offer: Offer): boolean {
  return first === offer || beside.includes(offer)
}
