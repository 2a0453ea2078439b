import { expect, test } from 'vitest'
import type { Application } from './application'
import { applicationStakesOf, lostStakesOf } from './earnings'
import type { Task } from './task'

const at = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-02T12:00:00Z')

test('locked stakes are of pending applications and of ended ones that are not withdrawn', () => {
  const applications = [
    { taskId: 'a', status: 'pending', stakeId: 1n, stakeAmount: 5n },
    { taskId: 'b', status: 'pending', stakeId: undefined, stakeAmount: 7n },
    { taskId: 'c', status: 'accepted', stakeId: 2n, stakeAmount: 9n },
    { taskId: 'd', status: 'withdrawn', stakeId: 3n, stakeAmount: 11n },
    { taskId: 'e', status: 'expired', stakeId: 4n, stakeAmount: 13n },
    { taskId: 'f', status: 'released', stakeId: 5n, stakeAmount: 17n },
    // Its stake is back in the wallet.
    { taskId: 'g', status: 'released', stakeId: 6n, stakeAmount: 19n },
    // An older application: the action `withdraw` is about the newer one.
    { taskId: 'a', status: 'expired', stakeId: 7n, stakeAmount: 23n },
  ] as Application[]
  expect(applicationStakesOf(applications, new Set(['a', 'e', 'f']))).toEqual([5n, 13n, 17n])
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
