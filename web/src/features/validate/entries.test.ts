import { expect, test } from 'vitest'
import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'
import { entriesOf, firstToOpen, stageOf, tallyOf } from './entries'

const now = new Date('2030-01-01T12:00:00Z')
const hours = (n: number) => new Date(now.getTime() + n * 3_600_000)
const given = { approved: true, reason: 'As agreed.' } as NonNullable<Validation['mine']>

const validation = (taskId: string, closes: number, more: Partial<Validation> = {}): Validation =>
  ({ taskId, opensAt: hours(-1), closesAt: hours(closes), ...more }) as Validation

test('an open task that leaves the queue stays in place', () => {
  const [a, b, c] = [validation('a', 1), validation('b', 2), validation('c', 3)]
  const names = (queue: Validation[], open?: Validation) =>
    entriesOf(queue, open).map(({ validation, isOver }) => validation.taskId + (isOver ? '!' : ''))
  expect(names([a, b, c])).toEqual(['a', 'b', 'c'])
  expect(names([a, b, c], b)).toEqual(['a', 'b', 'c'])
  expect(names([a, c], b)).toEqual(['a', 'b!', 'c'])
  expect(names([a, b], c)).toEqual(['a', 'b', 'c!'])
  expect(names([], a)).toEqual(['a!'])
})

test('the queue replaces an older copy of the open task', () => {
  const next = validation('a', 5, { round: 1 })
  expect(entriesOf([next], validation('a', 1, { round: 0 }))).toEqual([
    { validation: next, isOver: false },
  ])
})

test('the first open round without the validator’s verdict is expanded', () => {
  const done = validation('done', 1, { mine: given })
  const later = validation('later', 2, { opensAt: hours(1) })
  const ready = validation('ready', 3)
  expect(firstToOpen([done, later, ready], now)).toBe(ready)
  expect(firstToOpen([done, later], now)).toBe(later)
  expect(firstToOpen([done], now)).toBeUndefined()
})

test('the stage of a vote depends on status and tally', () => {
  const disputed = { status: 'disputed' } as const
  const tally = { approvals: 1, rejections: 1, quorum: 2 }
  expect(stageOf(disputed, tally, false)).toBe('open')
  expect(stageOf(disputed, { ...tally, rejections: 2 }, false)).toBe('complete')
  expect(stageOf(disputed, { ...tally, approvals: 3 }, true)).toBe('complete')
  expect(stageOf(disputed, tally, true)).toBe('closed')
  expect(stageOf({ status: 'approved' }, tally, true)).toBe('paid')
  expect(stageOf({ status: 'rejected' }, tally, false)).toBe('refunded')
  expect(stageOf(disputed, { approvals: 0, rejections: 0, quorum: 0 }, false)).toBe('open')
})

test('the tally comes from the queue while the task is in it', () => {
  const task = { validatorApprovals: 1, validatorRejections: 0, validatorQuorum: 2 } as Task
  const queued = validation('a', 1, { approvals: 2, rejections: 0, quorum: 2 })
  expect(tallyOf(task, { validation: queued, isOver: false }).approvals).toBe(2)
  expect(tallyOf(task, { validation: queued, isOver: true }).approvals).toBe(1)
})
