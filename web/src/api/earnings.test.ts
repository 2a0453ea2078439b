import { expect, test } from 'vitest'
import type { Application } from './application'
import { lostStakesOf, pendingStakesOf } from './earnings'
import type { Task } from './task'

const at = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')

test('pending stakes are those that the agent can still decide about', () => {
  const applications = [
    { status: 'pending', stakeId: 1n, stakeAmount: 5n },
    { status: 'pending', stakeId: undefined, stakeAmount: 7n },
    { status: 'accepted', stakeId: 2n, stakeAmount: 9n },
    { status: 'withdrawn', stakeId: 3n, stakeAmount: 11n },
  ] as Application[]
  expect(pendingStakesOf(applications)).toEqual([5n])
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
