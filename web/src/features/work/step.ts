import type { Application } from '@/api/application'
import type { Task } from '@/api/task'
import { type Move, nextMoves } from '@/lib/next-moves'
import type { Entry } from './entries'
import { type Circumstances, foreseen, payday } from './foreseen'

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

/** What comes next for an entry. */
export function stepOf(entry: Entry, circumstances: Circumstances): Step {
  const { first } = nextMoves(foreseen(entry, circumstances))
  const mine = first && doing(first, entry.task, circumstances)
  if (mine) return { ...mine, mine: true }
  const others =
    entry.as === 'applicant'
      ? applicantWaits(entry.application)
      : workerWaits(entry.task, circumstances)
  return { ...others, mine: false }
}

type Words = Omit<Step, 'mine'>

/** What the reader does, in words. */
function doing(move: Move, task: Task, { dispute }: Circumstances): Words | undefined {
  switch (move) {
    case 'lock stake':
      return { what: 'Lock your stake: only then the agent can accept you', to: 'task' }
    case 'take stake back':
      return { what: 'Take your stake back', to: 'task' }
    case 'hand in':
      if (task.status === 'expired')
        return { what: 'The deadline is over. Hand in now, before the agent cancels', to: 'submit' }
      return {
        what: 'Do the work and hand it in',
        to: 'submit',
        until: task.deadline && { at: task.deadline, is: 'left to hand in', over: 'over' },
      }
    case 'settle':
    case 'emergency release':
      return { what: 'The time is up: collect your payment', to: 'task' }
    case 'answer':
      return {
        what: 'Answer the dispute: say why your work is as agreed',
        to: 'task',
        until: dispute ? { at: dispute.deadline, is: 'left to answer', over: 'over' } : undefined,
      }
    default:
      return undefined
  }
}

function applicantWaits({ status, expiresAt }: Application): Words {
  switch (status) {
    case 'pending':
      return {
        what: 'The agent decides',
        until: expiresAt && { at: expiresAt, is: 'your stake is free', over: 'free now' },
      }
    case 'new':
      return { what: 'You locked no stake in time' }
    case 'rejected':
      return { what: 'The agent rejected your application; the stake is lost' }
    case 'withdrawn':
      return { what: 'You took your application back' }
    case 'expired':
      return { what: 'Nobody decided in time; your stake is yours again' }
    default:
      return { what: 'Another was accepted, or the task ended; your stake is yours again' }
  }
}

function workerWaits(task: Task, circumstances: Circumstances): Words {
  switch (task.status) {
    case 'submitted':
      return {
        what: 'The agent looks at your work',
        until: task.disputeDeadline && {
          at: task.disputeDeadline,
          is: 'then validators review it',
          over: 'validators review it now',
        },
      }
    case 'disputed':
      return task.agentApprovedAt ? inReview(task, circumstances) : inDispute(circumstances)
    case 'approved':
      return { what: 'Paid to your wallet' }
    case 'rejected':
      return { what: 'Validators returned the payment to the agent' }
    case 'cancelled':
      return { what: 'Cancelled before you handed in; your stake came back' }
    default:
      return inReview(task, circumstances)
  }
}

function inReview(task: Task, { windows }: Circumstances): Words {
  const at = payday(task, windows)
  return {
    what: task.agentApprovedAt
      ? 'The agent has approved; validators confirm it'
      : 'Validators look at your work',
    until: at && { at, is: 'until you are paid at the latest', over: 'due now' },
  }
}

function inDispute({ dispute }: Circumstances): Words {
  return {
    what: 'Validators decide the dispute',
    until: dispute ? { at: dispute.deadline, is: 'left in this step', over: 'over' } : undefined,
  }
}
