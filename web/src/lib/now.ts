import { useSyncExternalStore } from 'react'
import { createEvent } from './event'
import { onReturn } from './on-return'

// In ms: how often the clock is updated. Displayed times are exact to the minute.
const tick = 30_000

let current = new Date()
const changed = createEvent()
let stop: (() => void) | undefined

function update() {
  current = new Date()
  changed.emit()
}

/**
 * Starts the timer. Browsers slow down or pause the timers of hidden pages, so `onReturn` updates
 * the clock too.
 */
function start() {
  current = new Date()
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

/** The current time, which is updated while it has subscribers. */
export const clock = { subscribe, get: () => current }

/** Returns the current time and re-renders as it changes. All components share one timer. */
export function useNow(): Date {
  return useSyncExternalStore(clock.subscribe, clock.get, clock.get)
}
