import type { Application } from '@/api/application'
import type { Contracts } from '@/api/contracts'
import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import type { Entry } from './entries'

/** The one thing that comes next, for somebody to do or to wait for. */
export interface Step {
  what: string
  /** Whether it is for the reader to do; else for others or for time. */
  mine: boolean
  /** Until when, and what the time is called. */
  until?: { at: Date; is: string; over: string } | undefined
  /** Where it is done. */
  to?: 'task' | 'submit'
}

/** What is known beside the entry itself. */
export interface Circumstances {
  windows: Contracts['windows']
  now: Date
  dispute?: Dispute | null | undefined
  /** Whether the stake of an application that is over is still locked. */
  stakeIsLocked?: boolean | undefined
}

/** What comes next for an entry. */
export function stepOf(entry: Entry, circumstances: Circumstances): Step {
  return entry.as === 'applicant'
    ? applicantStep(entry.application, circumstances)
    : workerStep(entry.task, circumstances)
}

function applicantStep(
  { status, expiresAt }: Application,
  { stakeIsLocked = false }: Circumstances,
): Step {
  switch (status) {
    case 'new':
      return { what: 'Lock your stake: only then the agent can accept you', mine: true, to: 'task' }
    case 'pending':
      return {
        what: 'The agent decides',
        mine: false,
        until: expiresAt && { at: expiresAt, is: 'your stake is free', over: 'free now' },
      }
    case 'rejected':
      return { what: 'The agent rejected your application; the stake is lost', mine: false }
    case 'withdrawn':
      return { what: 'You took your application back', mine: false }
    default:
      if (stakeIsLocked) return { what: 'Take your stake back', mine: true, to: 'task' }
      return {
        what:
          status === 'expired'
            ? 'Nobody decided in time; your stake is yours again'
            : 'Another was accepted, or the task ended; your stake is yours again',
        mine: false,
      }
  }
}

function workerStep(task: Task, circumstances: Circumstances): Step {
  switch (task.status) {
    case 'submitted':
      return {
        what: 'The agent looks at your work',
        mine: false,
        until: task.disputeDeadline && {
          at: task.disputeDeadline,
          is: 'then validators review it',
          over: 'validators review it now',
        },
      }
    case 'validating':
      return reviewStep(task, circumstances)
    case 'disputed':
      // An approval during a dispute leaves the validators nothing to refuse.
      return task.agentApprovedAt ? reviewStep(task, circumstances) : disputeStep(circumstances)
    case 'approved':
      return { what: 'Paid to your wallet', mine: false }
    case 'rejected':
      return { what: 'Validators returned the payment to the agent', mine: false }
    case 'cancelled':
      return { what: 'Cancelled before you handed in; your stake came back', mine: false }
    case 'expired':
      return {
        what: 'The deadline is over. Hand in now, before the agent cancels',
        mine: true,
        to: 'submit',
      }
    default:
      return {
        what: 'Do the work and hand it in',
        mine: true,
        to: 'submit',
        until: task.deadline && { at: task.deadline, is: 'left to hand in', over: 'over' },
      }
  }
}

const paysAtLatest = 'until you are paid at the latest'

/** Under review: paid by a verdict, or by time, which begins with the last thing that happened. */
function reviewStep(task: Task, { windows, now }: Circumstances): Step {
  if (task.agentApprovedAt) {
    const at = later(task.agentApprovedAt, windows.approved_settlement)
    if (at <= now) return collect
    return {
      what: 'The agent has approved; validators confirm it',
      mine: false,
      until: { at, is: paysAtLatest, over: 'due now' },
    }
  }
  const what = 'Validators look at your work'
  if (!task.submittedAt) return { what, mine: false }
  if (later(task.submittedAt, windows.emergency_release) <= now) return collect
  const at = later(task.submittedAt, windows.silent_settlement)
  return { what, mine: false, until: { at, is: paysAtLatest, over: 'due now' } }
}

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000)

const collect: Step = { what: 'The time is up: collect your payment', mine: true, to: 'task' }

function disputeStep({ dispute, now }: Circumstances): Step {
  if (dispute?.status === 'open' && dispute.filedBy === 'agent') {
    return {
      what: 'Answer the dispute: say why your work is as agreed',
      mine: true,
      to: 'task',
      until: { at: dispute.deadline, is: 'left to answer', over: 'over' },
    }
  }
  if (dispute?.status === 'escalated' && dispute.deadline <= now) return collect
  return {
    what: 'Validators decide the dispute',
    mine: false,
    until: dispute ? { at: dispute.deadline, is: 'left in this step', over: 'over' } : undefined,
  }
}
