/**
 * Creates an event without data. `emit` calls the listeners; `subscribe` returns a function that
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

/** Emitted when a request fails or is slow, so that the service's health is checked. */
export const requestFailed = createEvent()

/** Emitted when the server rejects the session, which may have ended. */
export const unauthorized = createEvent()
