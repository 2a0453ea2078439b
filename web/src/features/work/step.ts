import type { Application } from '@/api/application'
import type { Task } from '@/api/task'
import { shortAmount } from '@/lib/amount'
import { type Move, nextMoves } from '@/lib/next-moves'
import type { Entry } from './entries'
import { type Circumstances, foreseen, payday } from './foreseen'

/** The one thing that comes next, for somebody to do or to wait for. */
export interface Step {
  what: string
  /** Whether it is for the reader to do; else for others or for time. */
  mine: boolean
  /** Until when, with the words around what is left, and those in its place once it is over. */
  until?: { at: Date; before?: string; after?: string; over: string } | undefined
  /** Where it is done. */
  to?: 'task' | 'submit'
}

/** What comes next for an entry. */
export function stepOf(entry: Entry, circumstances: Circumstances): Step {
  const { first } = nextMoves(foreseen(entry, circumstances))
  const mine = first && doing(first, entry.task, circumstances)
  if (mine) return { ...mine, mine: true }
  const others =
    entry.as === 'applicant'
      ? applicantWaits(entry.application, circumstances)
      : workerWaits(entry.task, circumstances)
  return { ...others, mine: false }
}

/** What the payout of an entry is to the reader. */
export function amountIs({ as, task }: Entry): string {
  if (as === 'applicant') return 'for accepted work'
  switch (task.status) {
    case 'approved':
      return 'paid to you'
    case 'rejected':
    case 'cancelled':
      return 'not paid'
    default:
      return task.agentApprovedAt ? 'you receive' : 'you may receive'
  }
}

type Words = Omit<Step, 'mine'>

/** What the reader does, in words. */
function doing(move: Move, task: Task, { dispute }: Circumstances): Words | undefined {
  switch (move) {
    case 'lock stake':
      return { what: 'Lock your stake: only then the agent can accept you', to: 'task' }
    case 'take stake back':
      return { what: 'Withdraw your stake', to: 'task' }
    case 'hand in':
      if (task.status === 'expired')
        return { what: 'The deadline is over. Hand in now, before the agent cancels', to: 'submit' }
      return {
        what: 'Do the work and hand it in',
        to: 'submit',
        until: task.deadline && { at: task.deadline, after: 'left to hand in', over: 'over' },
      }
    case 'settle':
    case 'emergency release':
      return { what: 'The time is up: collect your payment', to: 'task' }
    case 'answer':
      return {
        what: 'Answer the dispute: say why your work is as agreed',
        to: 'task',
        until: dispute
          ? { at: dispute.deadline, after: 'left to answer', over: 'over' }
          : undefined,
      }
    default:
      return undefined
  }
}

const stakeOf = ({ stakeAmount }: { stakeAmount?: bigint }, { symbol = '' }: Circumstances) =>
  `${shortAmount(stakeAmount ?? 0n)} ${symbol} stake`

function applicantWaits(application: Application, circumstances: Circumstances): Words {
  const { status, expiresAt, stakeId } = application
  switch (status) {
    case 'pending':
      return {
        what: 'The agent decides',
        until: expiresAt && {
          at: expiresAt,
          before: 'Your stake unlocks in',
          over: 'You can withdraw your stake',
        },
      }
    case 'new':
      return { what: 'You locked no stake in time' }
    case 'rejected':
      return {
        what:
          stakeId === undefined
            ? 'The agent rejected your application'
            : `The agent rejected your application. You lost your ${stakeOf(application, circumstances)}.`,
      }
    case 'withdrawn':
      return { what: 'You withdrew your application' }
    case 'expired':
      return { what: 'The agent did not decide in time. Your stake is not lost.' }
    default:
      return { what: 'Another applicant was accepted, or the task ended. Your stake is not lost.' }
  }
}

function workerWaits(task: Task, circumstances: Circumstances): Words {
  switch (task.status) {
    case 'submitted':
      return {
        what: `The agent looks at your work. ${risk(task, circumstances)}`,
        until: task.disputeDeadline && {
          at: task.disputeDeadline,
          before: 'The agent has',
          after: 'to respond',
          over: 'Validators review it now',
        },
      }
    case 'disputed':
      return task.agentApprovedAt ? inReview(task, circumstances) : inDispute(task, circumstances)
    case 'approved':
      return { what: 'Paid to your wallet' }
    case 'rejected':
      return {
        what: `Validators rejected your work. The payment was refunded, and you lost your ${stakeOf(task, circumstances)}.`,
      }
    case 'cancelled':
      return { what: 'Cancelled before you submitted work. Your stake was returned.' }
    default:
      return inReview(task, circumstances)
  }
}

const risk = (task: Task, circumstances: Circumstances) =>
  `If validators reject it, you are not paid and lose your ${stakeOf(task, circumstances)}.`

function inReview(task: Task, circumstances: Circumstances): Words {
  const at = payday(task, circumstances.windows)
  const over = 'Payment due now'
  if (task.agentApprovedAt) {
    const until = at && { at, before: 'You are paid within', over }
    return { what: 'The agent has approved your work; validators confirm it', until }
  }
  return {
    what: `Validators look at your work. ${risk(task, circumstances)}`,
    until: at && { at, before: 'Without a decision you are paid in', over },
  }
}

function inDispute(task: Task, circumstances: Circumstances): Words {
  const { dispute } = circumstances
  return {
    what: `Validators decide the dispute about your work. ${risk(task, circumstances)}`,
    until: dispute ? { at: dispute.deadline, after: 'left in this step', over: 'over' } : undefined,
  }
}
