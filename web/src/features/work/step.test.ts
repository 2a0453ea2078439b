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
const against = (dispute: Partial<Dispute>) => dispute as Dispute

const collect = 'Time is up. Collect your payment'
const submitted = { status: 'validating' as const, submittedAt: start }

test.each([
  ['accepted work is handed in', work({ status: 'active' }), 1, undefined, /submit it/, true],
  ['late work, too', work({ status: 'expired' }), 1, undefined, /Submit now/, true],
  [
    'the agent looks first',
    work({ status: 'submitted' }),
    1,
    undefined,
    /agent is reviewing/,
    false,
  ],
  ['then validators', work(submitted), 29, undefined, /Validators are reviewing/, false],
  ['silence is over for the human', work(submitted), 30, undefined, collect, true],
  [
    'an approval waits for validators',
    work({ ...submitted, agentApprovedAt: after(1) }),
    3,
    undefined,
    /agent approved/,
    false,
  ],
  [
    'and pays without them',
    work({ ...submitted, agentApprovedAt: after(1) }),
    4,
    undefined,
    collect,
    true,
  ],
  [
    'a dispute is answered',
    work({ status: 'disputed' }),
    1,
    against({ status: 'open', filedBy: 'agent', deadline: after(2) }),
    /Answer the dispute/,
    true,
  ],
  [
    'not the own one',
    work({ status: 'disputed' }),
    1,
    against({ status: 'open', filedBy: 'human', deadline: after(2) }),
    /Validators are deciding/,
    false,
  ],
  [
    'an undecided dispute pays',
    work({ status: 'disputed' }),
    5,
    against({ status: 'escalated', filedBy: 'agent', deadline: after(5) }),
    collect,
    true,
  ],
  [
    'an approval ends the dispute in all but name',
    work({ status: 'disputed', submittedAt: start, agentApprovedAt: after(1) }),
    4,
    against({ status: 'voting', filedBy: 'agent', deadline: after(5) }),
    collect,
    true,
  ],
  [
    'no stake, no application',
    { ...asked({ status: 'new' }), task: { status: 'funded' } as Task },
    0,
    undefined,
    /Lock your stake/,
    true,
  ],
  [
    'too late for a stake',
    asked({ status: 'new' }),
    0,
    undefined,
    /not lock a stake in time/,
    false,
  ],
  [
    'an application waits',
    asked({ status: 'pending' }),
    0,
    undefined,
    /Waiting for the agent/,
    false,
  ],
  [
    'a stake is not lost to others',
    asked({ status: 'released' }),
    0,
    undefined,
    /can withdraw your stake/,
    false,
  ],
])('%s', (_, entry, days, dispute, what, mine) => {
  const step = stepOf(entry, { windows, now: after(days), dispute })
  expect(step.what).toMatch(what)
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
  expect(what).toMatch(/If validators reject it, you are not paid and lose your 1.5 TASK stake\.$/)
  expect(`${until?.before} ${until?.after}`).not.toMatch(/at the latest/)
})

test('the payment for approved work is promised', () => {
  const entry = work({ status: 'disputed', agentApprovedAt: start, submittedAt: start, ...money })
  expect(amountIs(entry)).toBe('you receive')
  expect(stepOf(entry, { windows, now: start, symbol: 'TASK' }).what).not.toMatch(/lose/)
})

test('a lost stake is shown with its amount', () => {
  const circumstances = { windows, now: start, symbol: 'TASK' }
  const rejected = asked({ status: 'rejected', stakeAmount: 15n * 10n ** 17n, stakeId: 7n })
  expect(stepOf(rejected, circumstances).what).toBe(
    'The agent rejected your application. You lost your 1.5 TASK stake.',
  )
  expect(stepOf(work({ status: 'rejected', ...money }), circumstances).what).toBe(
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
