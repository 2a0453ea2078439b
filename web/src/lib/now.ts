import { useSyncExternalStore } from 'react'

// Nothing on a page is told more exactly than by the minute.
const tick = 30_000

let current = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    current = new Date()
    for (const each of listeners) each()
  }, tick)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, followed by all of a page with one timer. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => current)
}
