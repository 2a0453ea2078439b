import { useSyncExternalStore } from 'react'
import { onReturn } from './on-return'

// Times on a page are exact to the minute.
const tick = 30_000

let current = new Date()
const listeners = new Set<() => void>()
let stop: (() => void) | undefined

function update() {
  current = new Date()
  for (const each of listeners) each()
}

/** Starts the timer. Browsers slow down or pause timers of hidden pages, so `onReturn` updates too. */
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
  listeners.add(listener)
  stop ??= start()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}

/** The time, updated while it has subscribers. */
export const clock = { subscribe, get: () => current }

/** The time, followed by all of a page with one timer. */
export function useNow(): Date {
  return useSyncExternalStore(clock.subscribe, clock.get)
}
