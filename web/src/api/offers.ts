import type { ApplicationStatus, TaskStatus } from '@/lib/facts.gen'
import type { TaskRole } from './gen/types.gen'
import type { Action } from './task-next'

/** Something that the reader can do with a task on its page. */
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
  /** What the server says can be done now or later. */
  actions: readonly Action[]
  /** The newest application of the reader. */
  application?: ApplicationStatus | undefined
}

/** What can be done now: the one thing that comes first, and what is possible beside it. */
export interface Offers {
  first?: Offer | undefined
  beside: Offer[]
}

type Fits = (situation: Situation) => boolean

interface Rules {
  /** The first that fits comes first. */
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

// The server decides who may do what and when; this only selects what to show.
const ofApplicants: Rules = {
  first: [
    ['lock stake', both(isOpen, is('new'))],
    ['apply', can('apply')],
    // While the agent decides, taking it back is possible but not what one came for.
    ['withdraw stake', both(can('withdraw'), is('expired', 'released'))],
  ],
  beside: [['withdraw', both(can('withdraw'), is('new', 'pending'))]],
}

const ofTheHuman: Rules = {
  first: [
    ['submit', can('submit')],
    // Of the two ways to collect a payment that is due one is enough: where both are open,
    // `settle` also returns it.
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

// What agents do they do by their own tools.
const rules: Record<TaskRole, Rules> = {
  human: ofTheHuman,
  applicant: ofApplicants,
  validator: ofApplicants,
  other: ofApplicants,
  agent: { first: [], beside: [] },
}

/** What a task's page offers to its reader. */
export function offersFor(situation: Situation): Offers {
  const { first, beside } = rules[situation.role]
  const fitting = (each: readonly [Offer, Fits]) => each[1](situation)
  return { first: first.find(fitting)?.[0], beside: beside.filter(fitting).map(([offer]) => offer) }
}

/** Whether a move is offered, first or beside. */
export function hasOffer({ first, beside }: Offers, offer: Offer): boolean {
  return first === offer || beside.includes(offer)
}
