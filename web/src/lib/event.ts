/**
 * An event without data. `emit` calls the listeners; `subscribe` returns a function that
 * unsubscribes.
 */
export function createEvent() {
  const listeners = new Set<() => void>()
  return {
    emit() {
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get isObserved() {
      return listeners.size > 0
    },
  }
}

/** A request failed or is slow, so the service's health is checked. */
export const requestFailed = createEvent()

/** The server did not accept the session: it may have ended. */
export const unauthorized = createEvent()
