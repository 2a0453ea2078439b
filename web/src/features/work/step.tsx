import type { ReactNode } from 'react'
import type { Application } from '@/api/application'
import { type Offer, offersFor } from '@/api/offers'
import type { Task } from '@/api/task'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { Amount } from '@/ui/amount'
import type { Entry } from './entries'
import { type Circumstances, expectedSituation, payday } from './expected-actions'

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

/** Returns the next step for an entry. */
export function stepOf(entry: Entry, circumstances: Circumstances): Step {
  const { first } = offersFor(expectedSituation(entry, circumstances))
  const mine = first && doing(first, entry.task, circumstances)
  if (mine) return { ...mine, mine: true }
  const others =
    entry.as === 'applicant'
      ? applicantWaits(entry.application, circumstances)
      : workerWaits(entry.task, circumstances)
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
function doing(offer: Offer, task: Task, { dispute }: Circumstances): Words | undefined {
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
        until: dispute
          ? { at: dispute.deadline, after: messages.step.leftToAnswer, over: common.over }
          : undefined,
      }
    default:
      return undefined
  }
}

const stakeOf = ({ stakeAmount }: { stakeAmount?: bigint }, { symbol = '' }: Circumstances) => (
  <Amount wei={stakeAmount ?? 0n} symbol={symbol} />
)

function applicantWaits(application: Application, circumstances: Circumstances): Words {
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
            : messages.wait.rejectedWithStake(stakeOf(application, circumstances)),
      }
    case 'withdrawn':
      return { what: messages.wait.withdrawn }
    case 'expired':
      return { what: messages.wait.expired }
    default:
      return { what: messages.wait.released }
  }
}

function workerWaits(task: Task, circumstances: Circumstances): Words {
  switch (task.status) {
    case 'submitted':
      return {
        what: messages.wait.submitted(stakeOf(task, circumstances)),
        until: task.disputeDeadline && {
          at: task.disputeDeadline,
          before: messages.wait.agentHas,
          after: messages.wait.toRespond,
          over: messages.wait.validatorsReview,
        },
      }
    case 'disputed':
      return task.agentApprovedAt ? inReview(task, circumstances) : inDispute(task, circumstances)
    case 'approved':
      return { what: messages.wait.paid }
    case 'rejected':
      return { what: messages.wait.workRejected(stakeOf(task, circumstances)) }
    case 'cancelled':
      return { what: messages.wait.cancelled }
    default:
      return inReview(task, circumstances)
  }
}

function inReview(task: Task, circumstances: Circumstances): Words {
  const at = payday(task, circumstances.windows)
  const over = messages.wait.paymentDue
  if (task.agentApprovedAt) {
    const until = at && { at, before: messages.wait.paidWithin, over }
    return { what: messages.wait.approved, until }
  }
  return {
    what: messages.wait.inReview(stakeOf(task, circumstances)),
    until: at && { at, before: messages.wait.paidWithoutDecision, over },
  }
}

function inDispute(task: Task, circumstances: Circumstances): Words {
  const { dispute } = circumstances
  return {
    what: messages.wait.inDispute(stakeOf(task, circumstances)),
    until: dispute
      ? { at: dispute.deadline, after: messages.wait.leftInStep, over: common.over }
      : undefined,
  }
}
