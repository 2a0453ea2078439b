import { expect, test } from 'vitest'
import type { Task } from '@/api/task'
import { timelineEvents } from './timeline-events'

test('posting comes first, and events of one second keep their order', () => {
  const task = {
    status: 'active',
    createdAt: new Date('2030-01-01T10:00:02Z'),
    fundedAt: new Date('2030-01-01T10:00:00.500Z'),
    acceptedAt: new Date('2030-01-01T10:00:00Z'),
    humanUsername: 'mara',
  } as Task
  expect(timelineEvents(task).map(({ what, username: who }) => [what, who])).toEqual([
    ['Posted', undefined],
    ['Payment locked in escrow', undefined],
    ['Assigned to', 'mara'],
  ])
})

test('the assigned human is addressed', () => {
  const at = new Date('2030-01-01T10:00:00Z')
  const task = {
    status: 'approved',
    createdAt: at,
    acceptedAt: at,
    settledAt: new Date('2030-01-03T10:00:00Z'),
    humanUsername: 'mara',
  } as Task
  const dispute = {
    filedBy: 'human',
    status: 'resolved',
    createdAt: new Date('2030-01-02T10:00:00Z'),
  }
  expect(timelineEvents(task, dispute as never, true).map(({ what }) => what)).toEqual([
    'Posted',
    'Assigned to you',
    'Disputed by you',
    'Paid to you',
  ])
})

test('a dispute before an approval is listed before it', () => {
  const task = {
    status: 'disputed',
    createdAt: new Date('2030-01-01T10:00:00Z'),
    agentApprovedAt: new Date('2030-01-03T10:00:00Z'),
  } as Task
  const dispute = { filedBy: 'human', status: 'open', createdAt: new Date('2030-01-02T10:00:00Z') }
  expect(timelineEvents(task, dispute as never).map(({ what }) => what)).toEqual([
    'Posted',
    'Disputed by the human',
    'Approved by the agent',
  ])
})
