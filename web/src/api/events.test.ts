import { expect, test } from 'vitest'
import { affects, isNew, type MarketEvent, pauseAfter } from './events'

const at = '2026-03-01T12:00:00Z'
const item = (event_type: string, related_id: string): MarketEvent =>
  ({ type: 'activity', created_at: at, activity: { event_type, related_id } }) as MarketEvent

test('an event affects exactly the queries about its subject', () => {
  const task: MarketEvent = { type: 'task', created_at: at, task_id: 'a', task_status: 'active' }
  expect(affects(task, ['task', 'a', 'next'])).toBe(true)
  expect(affects(task, ['task', 'b'])).toBe(false)
  expect(affects(task, ['tasks', 'mine'])).toBe(true)
  expect(affects(task, ['contracts'])).toBe(false)
  expect(affects(item('message', 'a'), ['task', 'a', 'files'])).toBe(true)
  expect(affects(item('message', 'a'), ['tasks', 'mine'])).toBe(false)
  expect(affects(item('dm', 'c'), ['conversations', 'unread'])).toBe(true)
  expect(affects(item('dm', 'c'), ['activity', 'list', {}])).toBe(true)
  expect(affects(item('application', 'p'), ['task', 'a'])).toBe(true)
  expect(affects({ type: 'reset', created_at: at }, ['task', 'a'])).toBe(true)
  expect(affects({ type: 'reset', created_at: at }, ['session'])).toBe(false)
})

test('pauses grow to a minute with jitter', () => {
  expect(pauseAfter(1, () => 0)).toBe(1_000)
  expect(pauseAfter(1, () => 1)).toBe(2_000)
  expect(pauseAfter(3, () => 1)).toBe(8_000)
  expect(pauseAfter(30, () => 1)).toBe(60_000)
})

test('a transaction that becomes final or is reverted by a reorg is not new activity', () => {
  const isNewWith = (status: string, tx_hash?: string) =>
    isNew({ status, tx_hash } as NonNullable<MarketEvent['activity']>)
  expect(isNewWith('pending', '0x01')).toBe(true)
  expect(isNewWith('confirmed')).toBe(true)
  expect(isNewWith('confirmed', '0x01')).toBe(false)
  expect(isNewWith('reverted', '0x01')).toBe(false)
})
