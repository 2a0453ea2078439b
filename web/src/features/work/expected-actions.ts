import type { Contracts } from '@/api/contracts'
import type { Dispute } from '@/api/dispute'
import type { Situation } from '@/api/offers'
import type { Task } from '@/api/task'
import type { Action } from '@/api/task-next'
import type { Entry } from './entries'

/** Data that the next step depends on, in addition to the entry. */
export interface Circumstances {
  windows: Contracts['windows']
  now: Date
  /** The token's symbol, for amounts in sentences. */
  symbol?: string | undefined
  dispute?: Dispute | null | undefined
  /** Whether the stake of an application that has ended is still locked. */
  stakeIsLocked?: boolean | undefined
}

/**
 * Derives the human's role and actions from the lists. The server has the exact values, but
 * fetching them would require one request for each task.
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
      // After the agent's approval during a dispute, validators can only confirm the payment.
      if (task.agentApprovedAt) return { settle: isPast(payday(task, windows), now) }
      return {
        respond: dispute?.status === 'open' && dispute.filedBy === 'agent',
        settle: dispute?.status === 'escalated' && isPast(dispute.deadline, now),
      }
    default:
      return {}
  }
}

/**
 * Returns the time at which work is paid without a verdict: after the agent's approval, or if there is
 * none, after the submission. It is not the time for work that is disputed and not approved.
 */
export function payday(task: Task, windows: Contracts['windows']): Date | undefined {
  return task.agentApprovedAt
    ? after(task.agentApprovedAt, windows.approved_settlement)
    : after(task.submittedAt, windows.silent_settlement)
}

const after = (at: Date | undefined, seconds: number) =>
  at && new Date(at.getTime() + seconds * 1_000)

const isPast = (at: Date | undefined, now: Date) => at !== undefined && at <= now
