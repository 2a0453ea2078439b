import { expect, test } from 'vitest'
import type { Application } from './application'
import { applicationStakesOf, lostStakesOf } from './earnings'
import type { Task } from './task'

const at = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')

test('locked stakes are of the newest applications that can be withdrawn', () => {
  const applications = [
    { taskId: 'a', stakeId: 1n, stakeAmount: 5n },
    { taskId: 'b', stakeId: undefined, stakeAmount: 7n },
    { taskId: 'c', stakeId: 2n, stakeAmount: 9n },
    { taskId: 'a', stakeId: 3n, stakeAmount: 11n }, // an older application
  ] as Application[]
  const tasks = [
    { id: 'a', actions: [{ action: 'withdraw' }] },
    { id: 'b', actions: [{ action: 'withdraw' }] },
    { id: 'c', actions: [{ action: 'message' }] },
  ]
  expect(applicationStakesOf(applications, tasks)).toEqual([5n])
})

test('lost stakes come from rejected applications and from verdicts', () => {
  const rejected = { id: 'x', taskId: 'a', status: 'rejected', stakeId: 7n, stakeAmount: 5n }
  const applications = [
    { ...rejected, rejectionReason: 'No photo.', createdAt: at },
    // Without a stake id, no stake was locked.
    { ...rejected, id: 'y', stakeId: undefined, createdAt: at },
    { ...rejected, id: 'z', status: 'released', createdAt: at },
  ] as Application[]
  const tasks = [{ id: 'b', stakeAmount: 9n, settledAt: later, createdAt: at }] as Task[]
  expect(lostStakesOf(applications, tasks)).toEqual([
    { id: 'b', taskId: 'b', amount: 9n, by: 'verdict', at: later },
    { id: 'x', taskId: 'a', amount: 5n, by: 'agent', reason: 'No photo.', at },
  ])
})
