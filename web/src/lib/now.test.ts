import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adjustClock, clock, serverNow } from './now'
import { dayName, fromNow, timeLeft } from './time'

const noon = new Date('2026-03-01T12:00:00Z')
let stop: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: noon })
})
afterEach(() => {
  stop?.()
  adjustClock(Date.now(), Date.now(), Date.now()) // the next test’s clock is right again, to a second
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the first subscriber after a pause gets the current time', () => {
  clock.subscribe(() => undefined)()
  const later = new Date(noon.getTime() + 600_000)
  vi.setSystemTime(later)
  stop = clock.subscribe(() => undefined)
  expect(clock.get()).toEqual(later)
})

test('a page that is shown again gets the current time at once', () => {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const heard = vi.fn()
  stop = clock.subscribe(heard)
  const later = new Date(noon.getTime() + 600_000)
  vi.setSystemTime(later)
  window.dispatchEvent(new Event('focus'))
  expect(clock.get()).toEqual(later)
  expect(heard).toHaveBeenCalledOnce()
})

test.each([
  ['ahead', 10],
  ['behind', -10],
])('the time is the server’s if the browser’s clock is %s', (_, minutes) => {
  const server = noon.getTime()
  const browser = server + minutes * 60_000
  vi.setSystemTime(browser + 300)
  stop = clock.subscribe(() => undefined)
  adjustClock(server, browser + 100, browser + 300)
  expect(Math.abs(clock.get().getTime() - server)).toBeLessThan(1_000)
  expect(timeLeft(new Date(server + 7_250_000), clock.get())).toBe('2 h')
  expect(dayName(noon, clock.get())).toBe('Today')
  expect(fromNow(new Date(server - 3_700_000), clock.get())).toBe('1 hour ago')
  // Later responses do not move a clock that they agree with.
  const before = clock.get()
  adjustClock(server + 1_000, browser + 1_300, browser + 1_600)
  expect(clock.get()).toBe(before)
})

test('a clock that agrees with the server, or an unknown time, is not adjusted', () => {
  const before = serverNow()
  adjustClock(noon.getTime(), noon.getTime() + 400, noon.getTime() + 900)
  adjustClock(Number.NaN, noon.getTime(), noon.getTime())
  expect(serverNow()).toEqual(before)
})
