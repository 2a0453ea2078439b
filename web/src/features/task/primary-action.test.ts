import { expect, test } from 'vitest'
import type { Action } from '@/api/task-next'
import { type PrimaryAction, primaryAction, type Situation } from './primary-action'

const now = (...names: Action['action'][]): Action[] => names.map((action) => ({ action }))
const later = (action: Action['action']): Action => ({ action, opensAt: new Date() })

const table: [string, Situation, PrimaryAction | undefined][] = [
  [
    'a visitor of an open task',
    { role: 'other', status: 'funded', actions: now('apply') },
    'apply',
  ],
  [
    'somebody who withdrew, and may come again',
    { role: 'other', status: 'funded', actions: now('apply'), application: 'withdrawn' },
    'apply',
  ],
  [
    'an applicant without a stake',
    { role: 'applicant', status: 'funded', actions: now('withdraw'), application: 'new' },
    'lock stake',
  ],
  [
    'an applicant who waits',
    { role: 'applicant', status: 'funded', actions: now('withdraw'), application: 'pending' },
    undefined,
  ],
  [
    'an applicant whom nobody answered',
    { role: 'applicant', status: 'funded', actions: now('withdraw'), application: 'expired' },
    'take stake back',
  ],
  [
    'an applicant, when another was accepted',
    { role: 'applicant', status: 'active', actions: now('withdraw'), application: 'released' },
    'take stake back',
  ],
  [
    'the same, with the stake back',
    { role: 'applicant', status: 'active', actions: [], application: 'released' },
    undefined,
  ],
  [
    'somebody who was rejected',
    { role: 'applicant', status: 'funded', actions: [], application: 'rejected' },
    undefined,
  ],
  [
    'an application without a stake, too late',
    { role: 'applicant', status: 'active', actions: [], application: 'new' },
    undefined,
  ],
  ['what opens later', { role: 'other', status: 'funded', actions: [later('apply')] }, undefined],
  ['a task of others', { role: 'other', status: 'active', actions: [] }, undefined],
]

test.each(table)('%s', (_, situation, wanted) => {
  expect(primaryAction(situation)).toBe(wanted)
})
