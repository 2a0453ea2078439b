import { expect, test } from 'vitest'
import { dayName, duration, fromNow, localDay, timeLeft } from './time'

const now = new Date('2026-11-21T12:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test.each([
  [0, 'in less than a minute'],
  [-20, 'just now'],
  [90, 'in 1 minute'],
  [-7_200, '2 hours ago'],
  [86_400, 'tomorrow'],
  [3 * 86_400 + 5, 'in 3 days'],
  [-400 * 86_400, 'last year'],
])('%d seconds from now', (seconds, words) => {
  expect(fromNow(after(seconds), now)).toBe(words)
})

// The browser's clock can be behind the server's, and the displayed time is updated twice a minute.
test.each([
  [0, 'just now'],
  [20, 'just now'],
  [400, 'just now'],
  [-20, 'just now'],
  [-90, '1 minute ago'],
])('an event %d seconds from now is never in the future', (seconds, words) => {
  expect(fromNow(after(seconds), now, true)).toBe(words)
})

test.each([
  [86_400, '24 hours'],
  [3_196_800, '37 days'],
  [3_600, '1 hour'],
  [10, '1 minute'],
])('%d seconds', (seconds, words) => {
  expect(duration(seconds)).toBe(words)
})

test.each([
  [0, undefined],
  [-1, undefined],
  [59, 'less than a minute'],
  [60, '1 min'],
  [3_600, '1 h'],
  [3_599 + 3_600, '1 h 59 min'],
  [86_400, '1 day'],
  [3 * 86_400 + 4 * 3_600 + 59, '3 days 4 h'],
])('%d seconds are left', (seconds, words) => {
  expect(timeLeft(after(seconds), now)).toBe(words)
})

test('today and yesterday are named', () => {
  const local = new Date(2026, 10, 1, 9)
  expect(dayName(new Date(2026, 10, 1, 0), local)).toBe('Today')
  expect(dayName(new Date(2026, 9, 31, 23), local)).toBe('Yesterday')
  expect(dayName(new Date(2026, 9, 30, 23), local)).toBe('Oct 30')
})

test('a year other than the current one is shown', () => {
  expect(localDay(after(60 * 86_400), now)).toContain('2027')
  expect(localDay(after(60), now)).not.toContain('2026')
})
