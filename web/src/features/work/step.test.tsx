import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Application } from '@/api/application'
import type { Contracts } from '@/api/contracts'
import type { Dispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { type Entry, entriesOf, partOf } from './entries'
import { amountIs, stepOf } from './step'

const start = new Date('2026-11-01T00:00:00Z')
const day = 86_400
const after = (days: number) => new Date(start.getTime() + days * day * 1_000)
const windows = {
  approved_settlement: 3 * day,
  silent_settlement: 37 * day,
  emergency_release: 30 * day,
} as Contracts['windows']

const work = (task: Partial<Task>): Entry => ({ as: 'worker', task: task as Task })
const asked = (application: Partial<Application>): Entry => ({
  as: 'applicant',
  task: { status: 'active' } as Task,
  application: application as Application,
})

const collect = 'Time is up. Collect your payment.'
const submitted = { status: 'validating' as const, submittedAt: start }

const disputed = (status: Dispute['status'], filedBy: Dispute['filedBy'], days: number) =>
  ({ status, filedBy, deadline: after(days) }) as Dispute
const approved = work({ ...submitted, agentApprovedAt: after(1) })
const inDispute = work({ status: 'disputed' })
const approvedInDispute = work({
  status: 'disputed',
  submittedAt: start,
  agentApprovedAt: after(1),
})
const unlocked = { ...asked({ status: 'new' }), task: { status: 'funded' } as Task }

const textOf = (what: ReactNode) => renderToStaticMarkup(what).replace(/<[^>]*>/g, '')

test.each<[string, Entry, number, RegExp | string, boolean, Dispute?]>([
  ['the accepted human must submit work', work({ status: 'active' }), 1, /submit it/, true],
  ['late work can be submitted', work({ status: 'expired' }), 1, /Submit now/, true],
  ['the agent reviews first', work({ status: 'submitted' }), 1, /agent is reviewing/, false],
  ['validators review next', work(submitted), 29, /Validators are reviewing/, false],
  ['an overdue review pays', work(submitted), 30, collect, true],
  ['an approval waits for validators', approved, 3, /agent approved/, false],
  ['an approval pays without validators', approved, 4, collect, true],
  ['a dispute is answered', inDispute, 1, /Answer the dispute/, true, disputed('open', 'agent', 2)],
  ['a human’s dispute waits', inDispute, 1, /will decide/, false, disputed('open', 'human', 2)],
  ['an undecided dispute pays', inDispute, 5, collect, true, disputed('escalated', 'agent', 5)],
  [
    'an approval ends a dispute',
    approvedInDispute,
    4,
    collect,
    true,
    disputed('voting', 'agent', 5),
  ],
  ['an application needs its stake', unlocked, 0, /Lock your stake/, true],
  ['a stake can be too late', asked({ status: 'new' }), 0, /not lock a stake in time/, false],
  ['an application waits', asked({ status: 'pending' }), 0, /Waiting for the agent/, false],
  [
    'a stake can be withdrawn',
    asked({ status: 'released' }),
    0,
    /still locked, you can withdraw it/,
    false,
  ],
])('%s', (_, entry, days, what, mine, dispute) => {
  const step = stepOf(entry, { windows, now: after(days), dispute })
  expect(textOf(step.what)).toMatch(what)
  expect(step.mine).toBe(mine)
})

test('a stake that is still locked can be withdrawn', () => {
  const circumstances = { windows, now: start, stakeIsLocked: true }
  expect(stepOf(asked({ status: 'released' }), circumstances).what).toBe('Withdraw your stake')
  expect(stepOf(asked({ status: 'rejected' }), circumstances).mine).toBe(false)
})

const money = { stakeAmount: 15n * 10n ** 17n, payoutAmount: 10n ** 18n }

test.each([
  ['submitted', {}],
  ['validating', { submittedAt: start }],
  ['disputed', { submittedAt: start }],
] as const)('payment for work that validators can reject (%s) is not promised', (status, more) => {
  const entry = work({ status, ...more, ...money })
  const { what, until } = stepOf(entry, { windows, now: after(1), symbol: 'TASK' })
  expect(amountIs(entry)).toBe('you may receive')
  expect(textOf(what)).toMatch(
    /If validators reject it, you are not paid and lose your 1.5 TASK stake\.$/,
  )
  expect(`${until?.before} ${until?.after}`).not.toMatch(/at the latest/)
})

test('the payment for approved work is promised', () => {
  const entry = work({ status: 'disputed', agentApprovedAt: start, submittedAt: start, ...money })
  expect(amountIs(entry)).toBe('you receive')
  expect(textOf(stepOf(entry, { windows, now: start, symbol: 'TASK' }).what)).not.toMatch(/lose/)
})

test('a lost stake is shown with its amount', () => {
  const circumstances = { windows, now: start, symbol: 'TASK' }
  const rejected = asked({ status: 'rejected', stakeAmount: 15n * 10n ** 17n, stakeId: 7n })
  expect(textOf(stepOf(rejected, circumstances).what)).toBe(
    'The agent rejected your application. You lost your 1.5 TASK stake.',
  )
  expect(textOf(stepOf(work({ status: 'rejected', ...money }), circumstances).what)).toBe(
    'Validators rejected your work. The payment was refunded, and you lost your 1.5 TASK stake.',
  )
})

test('tasks and applications are joined', () => {
  const tasks = [
    { id: 'a', humanId: 'me', status: 'approved' },
    { id: 'b', humanId: 'other', status: 'active' },
    { id: 'c', status: 'funded' },
    { id: 'd', status: 'funded' },
    { id: 'e', status: 'funded' },
    { id: 'f', status: 'active' },
  ] as Task[]
  const applications = [
    { taskId: 'a', status: 'accepted' },
    { taskId: 'b', status: 'released' },
    { taskId: 'c', status: 'pending' },
    { taskId: 'c', status: 'withdrawn' }, // an older application for the same task
    { taskId: 'e', status: 'new' },
    { taskId: 'f', status: 'new' },
  ] as Application[]
  const entries = entriesOf('me', tasks, applications)
  expect(entries.map((entry) => [entry.task.id, entry.as, partOf(entry)])).toEqual([
    ['a', 'worker', 'done'],
    ['b', 'applicant', 'done'],
    ['c', 'applicant', 'applied'],
    ['e', 'applicant', 'applied'],
    ['f', 'applicant', 'done'],
  ])
})
