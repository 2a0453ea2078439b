import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Application } from '@/api/application'
import type { Task } from '@/api/task'
import { type Entry, entriesOf, partOf } from './entries'
import { amountIs, stepOf } from './step'

const now = new Date('2026-11-01T00:00:00Z')
const later = new Date('2026-11-08T00:00:00Z')

const work = (task: Partial<Task>): Entry => ({
  as: 'worker',
  task: { actions: [], ...task } as unknown as Task,
})
const applied = (application: Partial<Application>, task: Partial<Task> = {}): Entry => ({
  as: 'applicant',
  task: { status: 'active', actions: [], ...task } as unknown as Task,
  application: application as Application,
})

const settleLater = [{ action: 'settle', opensAt: later }]
const settle = [{ action: 'settle' }]
const respond = [{ action: 'respond', deadline: later }, ...settleLater]
const withdraw = [{ action: 'withdraw' }]
const submit = [{ action: 'submit' }, { action: 'resign' }]
const collect = 'Time is up. Collect your payment.'

const textOf = (what: ReactNode) => renderToStaticMarkup(what).replace(/<[^>]*>/g, '')

test.each<[string, Entry, RegExp | string, boolean]>([
  [
    'the accepted human must submit work',
    work({ status: 'active', actions: submit }),
    /submit it/,
    true,
  ],
  ['late work can be submitted', work({ status: 'expired', actions: submit }), /Submit now/, true],
  ['the agent reviews first', work({ status: 'submitted' }), /agent is reviewing/, false],
  [
    'validators review next',
    work({ status: 'validating', actions: settleLater }),
    /Validators are reviewing/,
    false,
  ],
  ['an overdue review pays', work({ status: 'validating', actions: settle }), collect, true],
  [
    'an approval waits for validators',
    work({ status: 'validating', agentApprovedAt: now, actions: settleLater }),
    /agent approved/,
    false,
  ],
  [
    'an approval ends a dispute',
    work({ status: 'disputed', agentApprovedAt: now, actions: settleLater }),
    /agent approved/,
    false,
  ],
  [
    'a dispute is answered',
    work({ status: 'disputed', actions: respond }),
    /Answer the dispute/,
    true,
  ],
  ['a dispute waits', work({ status: 'disputed', actions: settleLater }), /will decide/, false],
  [
    'an application needs its stake',
    applied({ status: 'new' }, { status: 'funded' }),
    /Lock your stake/,
    true,
  ],
  ['a stake can be too late', applied({ status: 'new' }), /not lock a stake in time/, false],
  [
    'an application waits',
    applied({ status: 'pending' }, { actions: withdraw }),
    /Waiting for the agent/,
    false,
  ],
  ['a stake is back', applied({ status: 'released' }), /still locked, you can withdraw it/, false],
  [
    'a stake that is still locked can be withdrawn',
    applied({ status: 'released' }, { actions: withdraw }),
    'Withdraw your stake',
    true,
  ],
])('%s', (_, entry, what, mine) => {
  const step = stepOf(entry, now)
  expect(textOf(step.what)).toMatch(what)
  expect(step.mine).toBe(mine)
})

test('a step ends with its action’s window', () => {
  const until = (task: Partial<Task>) => stepOf(work(task), now).until?.at
  expect(until({ status: 'disputed', actions: respond })).toBe(later)
  expect(until({ status: 'disputed', actions: settleLater })).toBe(later)
  expect(until({ status: 'validating', actions: settleLater })).toBe(later)
})

const money = { stakeAmount: 15n * 10n ** 17n, payoutAmount: 10n ** 18n }

test.each(['submitted', 'validating', 'disputed'] as const)(
  'payment for work that validators can reject (%s) is not promised',
  (status) => {
    const entry = work({ status, actions: settleLater, ...money })
    const { what, until } = stepOf(entry, now, 'TASK')
    expect(amountIs(entry)).toBe('you may receive')
    expect(textOf(what)).toMatch(
      /If validators reject it, you are not paid and lose your 1.5 TASK stake\.$/,
    )
    expect(`${until?.before} ${until?.after}`).not.toMatch(/at the latest/)
  },
)

test('the payment for approved work is promised', () => {
  const entry = work({ status: 'disputed', agentApprovedAt: now, ...money })
  expect(amountIs(entry)).toBe('you receive')
  expect(textOf(stepOf(entry, now, 'TASK').what)).not.toMatch(/lose/)
})

test('a lost stake is shown with its amount', () => {
  const rejected = applied({ status: 'rejected', stakeAmount: money.stakeAmount, stakeId: 7n })
  expect(textOf(stepOf(rejected, now, 'TASK').what)).toBe(
    'The agent rejected your application. You lost your 1.5 TASK stake.',
  )
  expect(textOf(stepOf(work({ status: 'rejected', ...money }), now, 'TASK').what)).toBe(
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
