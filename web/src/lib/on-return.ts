/**
 * Calls the listener when a page may have missed events: it becomes visible, gets the focus back
 * (from a wallet's own window, for example), or comes back from the browser's cache. Returns how to stop.
 */
export function onReturn(listener: () => void): () => void {
  const { window, document } = globalThis
  if (!window || !document) return () => undefined
  const look = () => {
    if (document.visibilityState === 'visible') listener()
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
  window.addEventListener('pageshow', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('focus', look)
    window.removeEventListener('pageshow', look)
  }
}
