import { expect, test } from 'vitest'
import { type ApplicationStatus, type TaskStatus, taskStatuses } from '@/lib/facts.gen'
import type { TaskAction, TaskRole } from './gen/types.gen'
import { type Offers, offersFor } from './offers'
import type { Action } from './task-next'

const before = new Date('2026-11-01T11:59:59Z')
const time = new Date('2026-11-01T12:00:00Z')
const after = new Date('2026-11-01T12:00:01Z')
const now = (...actions: TaskAction[]): Action[] => actions.map((action) => ({ action }))
const later = (...actions: TaskAction[]): Action[] =>
  actions.map((action) => ({ action, opensAt: after }))

const nothing = 'nothing' as const

// The actions that the server offers the assigned human in each status, with the resulting primary
// and secondary offers.
const human: [TaskStatus, Action[], Offers['first'] | typeof nothing, ...Offers['beside']][] = [
  ['new', [], nothing],
  ['funded', [], nothing],
  ['active', now('submit', 'resign', 'upload_file', 'message'), 'submit', 'resign'],
  ['expired', now('submit', 'resign', 'upload_file', 'message'), 'submit', 'resign'],
  [
    'submitted',
    [...now('dispute', 'message'), ...later('settle', 'emergency_release')],
    nothing,
    'dispute',
  ],
  ['submitted', [...now('message'), ...later('settle', 'emergency_release')], nothing],
  ['validating', later('settle', 'emergency_release'), nothing],
  ['validating', [...later('settle'), ...now('emergency_release')], 'emergency release'],
  ['validating', now('settle', 'emergency_release'), 'settle'],
  ['disputed', [...now('respond'), ...later('settle')], 'answer'],
  ['disputed', later('settle', 'emergency_release'), nothing],
  ['disputed', now('respond', 'settle'), 'settle'],
  ['approved', now('review', 'message'), 'review'],
  ['rejected', now('review', 'message'), 'review'],
  ['cancelled', now('review', 'message'), 'review'],
  ['cancelled', now('message'), nothing],
]

test.each(human)('assigned human, task %s, %j: %s', (status, actions, first, ...beside) => {
  expect(offersFor({ role: 'human', status, actions, now: time })).toEqual({
    first: first === nothing ? undefined : first,
    beside,
  })
})

type Applied = ApplicationStatus | undefined
const applicant: [
  TaskStatus,
  Applied,
  Action[],
  Offers['first'] | typeof nothing,
  ...Offers['beside'],
][] = [
  ['new', undefined, [], nothing],
  ['funded', undefined, now('apply'), 'apply'],
  ['funded', undefined, later('apply'), nothing],
  ['funded', 'new', now('withdraw'), 'lock stake', 'withdraw'],
  ['funded', 'pending', now('withdraw'), nothing, 'withdraw'],
  ['funded', 'expired', now('withdraw'), 'withdraw stake'],
  ['funded', 'withdrawn', now('apply'), 'apply'],
  ['funded', 'rejected', [], nothing],
  ['funded', 'rejected', now('apply', 'review'), 'apply', 'review'],
  ['approved', 'rejected', now('review'), nothing, 'review'],
  ['active', undefined, [], nothing],
  ['active', 'new', [], nothing],
  ['active', 'released', now('withdraw'), 'withdraw stake'],
  ['active', 'released', [], nothing],
  ['expired', 'pending', now('withdraw'), nothing, 'withdraw'],
  ['submitted', 'released', now('withdraw'), 'withdraw stake'],
  ['validating', 'released', now('withdraw', 'settle'), 'withdraw stake'],
  ['disputed', 'released', now('withdraw', 'settle'), 'withdraw stake'],
  ['approved', 'released', now('withdraw'), 'withdraw stake'],
  ['rejected', 'released', now('withdraw'), 'withdraw stake'],
  ['cancelled', 'expired', now('withdraw'), 'withdraw stake'],
  ['cancelled', 'withdrawn', [], nothing],
]

test.each(applicant)(
  'another user: task %s, application %s, %j: %s',
  (status, application, actions, first, ...beside) => {
    const wanted = { first: first === nothing ? undefined : first, beside }
    for (const role of ['applicant', 'validator', 'other'] satisfies TaskRole[])
      expect(offersFor({ role, status, actions, application, now: time })).toEqual(wanted)
  },
)

test('every status is tested, and an agent gets no offers', () => {
  const all = [...taskStatuses].sort()
  for (const table of [human, applicant])
    expect([...new Set(table.map(([status]) => status))].sort()).toEqual(all)
  for (const status of all)
    expect(
      offersFor({ role: 'agent', status, actions: now('approve', 'review'), now: time }),
    ).toEqual({ first: undefined, beside: [] })
})

test('a role, status or action of a later version offers nothing unknown', () => {
  const offers = offersFor({
    role: 'mediator',
    status: 'paused',
    application: 'frozen',
    actions: [{ action: 'mediate' }],
    now: time,
  })
  expect(offers).toEqual({ first: undefined, beside: [] })
})

test.each<[string, Partial<Action>, Offers['first']]>([
  ['before it opens', { opensAt: after }, undefined],
  ['when it opens', { opensAt: time }, 'answer'],
  ['before its deadline', { opensAt: before, deadline: after }, 'answer'],
  ['at its deadline', { deadline: time }, undefined],
])('an action is offered only while it is possible: %s', (_, window, first) => {
  const actions: Action[] = [{ action: 'respond', ...window }]
  expect(offersFor({ role: 'human', status: 'disputed', actions, now: time }).first).toBe(first)
})
