/**
 * Calls the listener when the page may have missed events: when it becomes visible, regains the
 * focus (for example from a wallet's window), or is restored from the browser's back/forward cache.
 * Returns a function that unsubscribes.
 */
export function onReturn(listener: () => void): () => void {
  const { window, document } = globalThis
  if (!window || !document) return () => undefined
  const update = () => {
    if (document.visibilityState === 'visible') listener()
  }
  document.addEventListener('visibilitychange', update)
  window.addEventListener('focus', update)
  window.addEventListener('pageshow', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    window.removeEventListener('focus', update)
    window.removeEventListener('pageshow', update)
  }
}
