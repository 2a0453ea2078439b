import { useSyncExternalStore } from 'react'
import { createEvent } from './event'
import { onReturn } from './on-return'

// In ms: how often the clock is updated. Displayed times are exact to the minute.
const tick = 30_000

// In ms: the server's clock less the browser's.
let offset = 0
let current = new Date()
const changed = createEvent()
let stop: (() => void) | undefined

/**
 * The server's time. Compare it with times from the server: the browser's clock can be wrong by
 * hours.
 */
export const serverNow = (): Date => new Date(Date.now() + offset)

/**
 * Adjusts the offset to the `Date` header of a response. All times are in ms; those of the request
 * are the browser's. The header has whole seconds, so the server's clock was between `date` and a
 * second later at some time during the request.
 *
 * Example: a header of 12:00:00 in a request from 12:10:00.1 to 12:10:00.3 shows that the browser is
 * ahead by 9 min 59.1 s to 10 min 0.3 s. The offset stays if it is in this range; otherwise it becomes the middle.
 */
export function adjustClock(date: number, sentAt: number, receivedAt: number) {
  const min = date - receivedAt
  const max = date + 1_000 - sentAt
  if (Number.isNaN(date) || (offset >= min && offset <= max)) return
  offset = (min + max) / 2
  update()
}

function update() {
  current = serverNow()
  changed.emit()
}

/**
 * Starts the timer. Browsers slow down or pause the timers of hidden pages, so `onReturn` updates
 * the clock too.
 */
function start() {
  current = serverNow()
  const timer = setInterval(update, tick)
  const stopReturn = onReturn(update)
  return () => {
    clearInterval(timer)
    stopReturn()
  }
}

function subscribe(listener: () => void) {
  const unsubscribe = changed.subscribe(listener)
  stop ??= start()
  return () => {
    unsubscribe()
    if (changed.isObserved) return
    stop?.()
    stop = undefined
  }
}

/** The server's time, which is updated while it has subscribers. */
export const clock = { subscribe, get: () => current }

/** Returns the server's time and re-renders as it changes. All components share one timer. */
export function useNow(): Date {
  return useSyncExternalStore(clock.subscribe, clock.get, clock.get)
}
