import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clock } from './now'

const noon = new Date('2026-03-01T12:00:00Z')
let stop: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: noon })
})
afterEach(() => {
  stop?.()
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
