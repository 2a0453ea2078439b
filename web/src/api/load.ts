import { requestFailed } from '@/lib/event'
import { outdated, unreachable } from './error'
import { reportIfSlow, send } from './send'

const retryInterval = 2_000

/**
 * Loads a chunk of the app. If the service is unreachable, retries until it is available again,
 * while the current page remains visible. If the chunk no longer exists, a newer version has been
 * deployed, and the page is reloaded once.
 */
export async function loadWhenServed<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      return await reportIfSlow(load())
    } catch (error) {
      if (await isServed()) return load().catch(() => reloadOnce(error))
      requestFailed.emit()
      await new Promise((done) => setTimeout(done, retryInterval))
    }
  }
}

/**
 * Loads a chunk of the app. Throws if the service is unreachable, or if the chunk no longer exists.
 */
export async function loadNow<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await reportIfSlow(load())
  } catch {
    if (await isServed()) {
      return load().catch(() => {
        throw outdated()
      })
    }
    requestFailed.emit()
    throw unreachable()
  }
}

async function isServed(): Promise<boolean> {
  try {
    return (await send('/app.json', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

const reloadedKey = 'taskmarket.reloadedKey'

/** Reloads the page to get the current version, unless it has just been reloaded. */
function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
  if (Date.now() - last < 60_000) throw error
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  window.location.reload()
  return new Promise(() => undefined)
}
