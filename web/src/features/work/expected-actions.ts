import type { Contracts } from '@/api/contracts'
import type { Dispute } from '@/api/dispute'
import type { Situation } from '@/api/offers'
import type { Task } from '@/api/task'
import type { Action } from '@/api/task-next'
import type { Entry } from './entries'

/** What is known beside the entry itself. */
export interface Circumstances {
  windows: Contracts['windows']
  now: Date
  /** The token's symbol, for amounts in sentences. */
  symbol?: string | undefined
  dispute?: Dispute | null | undefined
  /** Whether the stake of an application that is over is still locked. */
  stakeIsLocked?: boolean | undefined
}

/**
 * The human's role in a task and what they can do with it, derived from the lists. Asking the
 * server, which has the exact answer, would take a request for each task.
 */
export function expectedSituation(entry: Entry, circumstances: Circumstances): Situation {
  const { status } = entry.task
  if (entry.as === 'worker')
    return { role: 'human', status, actions: open(workerActions(entry.task, circumstances)) }
  const application = entry.application.status
  const canWithdraw = ['new', 'pending'].includes(application) || circumstances.stakeIsLocked
  return {
    role: 'applicant',
    status,
    application,
    actions: open({ withdraw: Boolean(canWithdraw) }),
  }
}

type Possible = Partial<Record<Action['action'], boolean>>

const open = (possible: Possible) =>
  Object.entries(possible)
    .filter(([, isOpen]) => isOpen)
    .map(([action]) => ({ action: action as Action['action'] }))

function workerActions(task: Task, circumstances: Circumstances): Possible {
  const { dispute, now, windows } = circumstances
  switch (task.status) {
    case 'active':
    case 'expired':
      return { submit: true }
    case 'validating':
      return {
        settle: isPast(payday(task, windows), now),
        emergency_release: isPast(after(task.submittedAt, windows.emergency_release), now),
      }
    case 'disputed':
      // An approval during a dispute leaves the validators nothing to refuse.
      if (task.agentApprovedAt) return { settle: isPast(payday(task, windows), now) }
      return {
        respond: dispute?.status === 'open' && dispute.filedBy === 'agent',
        settle: dispute?.status === 'escalated' && isPast(dispute.deadline, now),
      }
    default:
      return {}
  }
}

/** When work under review is paid at the latest: time begins with the last thing that happened. */
export function payday(task: Task, windows: Contracts['windows']): Date | undefined {
  return task.agentApprovedAt
    ? after(task.agentApprovedAt, windows.approved_settlement)
    : after(task.submittedAt, windows.silent_settlement)
}

const after = (at: Date | undefined, seconds: number) =>
  at && new Date(at.getTime() + seconds * 1_000)

const isPast = (at: Date | undefined, now: Date) => at !== undefined && at <= now
