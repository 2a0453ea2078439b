const listeners = new Set<() => void>()

/** Says that something did not get through, so that the service's health is looked at now. */
export function reportFailure() {
  for (const listener of listeners) listener()
}

/** Hears of trouble until the returned function is called. */
export function onFailure(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
