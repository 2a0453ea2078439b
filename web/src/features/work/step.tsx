import type { ReactNode } from 'react'
import type { Application } from '@/api/application'
import { type Offer, offersFor } from '@/api/offers'
import type { Task } from '@/api/task'
import type { Action } from '@/api/task-next'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { Amount } from '@/ui/amount'
import type { Entry } from './entries'

/** The next step for an entry, by the human or by another party. */
export interface Step {
  what: ReactNode
  /** Whether the signed-in human must act. If not, the step depends on others or on time. */
  mine: boolean
  /**
   * When the step ends, with the texts before and after the countdown. `over` replaces them
   * afterwards.
   */
  until?: { at: Date; before?: string; after?: string; over: string } | undefined
  /** The page on which the step is performed. */
  to?: 'task' | 'submit'
}

/** Returns the next step for an entry. `symbol` is the token's, for amounts in sentences. */
export function stepOf(entry: Entry, now: Date, symbol = ''): Step {
  const { task } = entry
  const { first } = offersFor({
    role: entry.as === 'worker' ? 'human' : 'applicant',
    status: task.status,
    actions: task.actions,
    application: entry.as === 'applicant' ? entry.application.status : undefined,
    now,
  })
  const mine = first && doing(first, task)
  if (mine) return { ...mine, mine: true }
  const others =
    entry.as === 'applicant' ? applicantWaits(entry.application, symbol) : workerWaits(task, symbol)
  return { ...others, mine: false }
}

/** Describes an entry's payout to the human. */
export function amountIs({ as, task }: Entry): string {
  if (as === 'applicant') return common.forAcceptedWork
  switch (task.status) {
    case 'approved':
      return messages.amount.paid
    case 'rejected':
    case 'cancelled':
      return messages.amount.none
    default:
      return task.agentApprovedAt ? messages.amount.receive : messages.amount.mayReceive
  }
}

type Words = Omit<Step, 'mine'>

/** Describes an action of the signed-in human as a step. */
function doing(offer: Offer, task: Task): Words | undefined {
  const responseUntil = actionOf(task, 'respond')?.deadline
  switch (offer) {
    case 'lock stake':
      return { what: messages.step.lockStake, to: 'task' }
    case 'withdraw stake':
      return { what: messages.step.withdrawStake, to: 'task' }
    case 'submit':
      if (task.status === 'expired') return { what: messages.step.submitLate, to: 'submit' }
      return {
        what: messages.step.submit,
        to: 'submit',
        until: task.deadline && {
          at: task.deadline,
          after: messages.step.leftToSubmit,
          over: common.over,
        },
      }
    case 'settle':
    case 'emergency release':
      return { what: messages.step.collect, to: 'task' }
    case 'answer':
      return {
        what: messages.step.answer,
        to: 'task',
        until: responseUntil && {
          at: responseUntil,
          after: messages.step.leftToAnswer,
          over: common.over,
        },
      }
    default:
      return undefined
  }
}

const actionOf = (task: Task, wanted: Action['action']) =>
  task.actions.find(({ action }) => action === wanted)

const stakeOf = ({ stakeAmount }: { stakeAmount?: bigint }, symbol: string) => (
  <Amount wei={stakeAmount ?? 0n} symbol={symbol} />
)

function applicantWaits(application: Application, symbol: string): Words {
  const { status, expiresAt, stakeId } = application
  switch (status) {
    case 'pending':
      return {
        what: messages.wait.agentDecides,
        until: expiresAt && {
          at: expiresAt,
          before: messages.wait.stakeUnlocksIn,
          over: messages.wait.canWithdraw,
        },
      }
    case 'new':
      return { what: messages.wait.noStake }
    case 'rejected':
      return {
        what:
          stakeId === undefined
            ? messages.wait.rejected
            : messages.wait.rejectedWithStake(stakeOf(application, symbol)),
      }
    case 'withdrawn':
      return { what: messages.wait.withdrawn }
    case 'expired':
      return { what: messages.wait.expired }
    default:
      return { what: messages.wait.released }
  }
}

function workerWaits(task: Task, symbol: string): Words {
  switch (task.status) {
    case 'submitted':
      return {
        what: messages.wait.submitted(stakeOf(task, symbol)),
        until: task.disputeDeadline && {
          at: task.disputeDeadline,
          before: messages.wait.agentHas,
          after: messages.wait.toRespond,
          over: messages.wait.validatorsReview,
        },
      }
    case 'approved':
      return { what: messages.wait.paid }
    case 'rejected':
      return { what: messages.wait.workRejected(stakeOf(task, symbol)) }
    case 'cancelled':
      return { what: messages.wait.cancelled }
    default:
      return inReview(task, symbol)
  }
}

/** Work that is paid at the latest when anyone can settle the task. */
function inReview(task: Task, symbol: string): Words {
  const at = actionOf(task, 'settle')?.opensAt
  const over = messages.wait.paymentDue
  if (task.agentApprovedAt) {
    const until = at && { at, before: messages.wait.paidWithin, over }
    return { what: messages.wait.approved, until }
  }
  const stake = stakeOf(task, symbol)
  return {
    what:
      task.status === 'disputed' ? messages.wait.inDispute(stake) : messages.wait.inReview(stake),
    until: at && { at, before: messages.wait.paidWithoutDecision, over },
  }
}
