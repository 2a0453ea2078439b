const listeners = new Set<() => void>()

/** Says that the server did not know who asked, so that it is looked at whether the session is over. */
export function tellUnknown() {
  for (const listener of listeners) listener()
}

/** Hears of it until the returned function is called. */
export function onUnknown(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
