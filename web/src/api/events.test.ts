import { afterEach, expect, test, vi } from 'vitest'
import { unauthorized } from '@/lib/event'
import { affects, followEvents, isNew, type MarketEvent, pauseAfter } from './events'

const item = (event_type: string, related_id: string): MarketEvent =>
  ({ type: 'activity', activity: { event_type, related_id } }) as MarketEvent

test('an event affects exactly the queries about its subject', () => {
  const created_at = '2026-03-01T12:00:00Z'
  const task: MarketEvent = { type: 'task', created_at, task_id: 'a', task_status: 'active' }
  expect(affects(task, ['task', 'a', 'next'])).toBe(true)
  expect(affects(task, ['task', 'b'])).toBe(false)
  expect(affects(task, ['tasks', 'mine'])).toBe(true)
  expect(affects(task, ['contracts'])).toBe(false)
  expect(affects(item('message', 'a'), ['task', 'a', 'files'])).toBe(true)
  expect(affects(item('message', 'a'), ['tasks', 'mine'])).toBe(false)
  expect(affects(item('dm', 'c'), ['conversations', 'unread'])).toBe(true)
  expect(affects(item('dm', 'c'), ['activity', 'list', {}])).toBe(true)
  expect(affects(item('application', 'p'), ['task', 'a'])).toBe(true)
  expect(affects({ type: 'reset' }, ['task', 'a'])).toBe(true)
  expect(affects({ type: 'reset' }, ['session'])).toBe(false)
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

class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readyState = 1
  constructor(readonly url: string) {
    super()
    FakeSource.opened.push(this)
  }
  fail() {
    this.readyState = FakeSource.CLOSED
    this.dispatchEvent(new Event('error'))
  }
  close() {}
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  [410, '/api/v1/events', ['reset'], 0],
  [401, '/api/v1/events?after=5f0c19ab-11', [], 1],
  [503, '/api/v1/events?after=5f0c19ab-11', [], 0],
])('after HTTP %i the stream reconnects to %s', async (status, url, want, rejections) => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const request = vi.fn(async () => new Response(null, { status }))
  vi.stubGlobal('fetch', request)
  FakeSource.opened = []
  const received: string[] = []
  let rejected = 0
  const stop = unauthorized.subscribe(() => {
    rejected += 1
  })
  const unfollow = followEvents('5f0c19ab-11', (event) => received.push(event.type))
  FakeSource.opened[0]?.fail()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(request).toHaveBeenCalledWith('/api/v1/events?follow=false&after=5f0c19ab-11')
  expect(FakeSource.opened.map((source) => source.url)).toEqual([
    '/api/v1/events?after=5f0c19ab-11',
    url,
  ])
  FakeSource.opened[1]?.dispatchEvent(new Event('open'))
  FakeSource.opened[1]?.dispatchEvent(new Event('open'))
  expect(received).toEqual(want)
  expect(rejected).toBe(rejections)
  unfollow()
  stop()
})
