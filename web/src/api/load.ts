import { requestFailed } from '@/lib/event'
import { outdated, unreachable } from './error'
import { noticed, send } from './send'

const pause = 2_000

/**
 * Loads a part of the app. While the service is unreachable it waits for it: what is on the page stays.
 * Where the service answers and the part is gone, a newer version has taken its place, and the
 * page is loaded again, once.
 */
export async function loadWhenServed<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      return await noticed(load())
    } catch (error) {
      if (await isServed()) return load().catch(() => renew(error))
      requestFailed.emit()
      await new Promise((done) => setTimeout(done, pause))
    }
  }
}

/** Loads a part of the app, or says that there was no answer, or that the part is gone. */
export async function loadNow<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await noticed(load())
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

const renewed = 'taskmarket.renewed'

/** Reloads the page to get a version whose chunks are served, unless it has just been reloaded. */
function renew(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(renewed) ?? 0)
  if (Date.now() - last < 60_000) throw error
  sessionStorage.setItem(renewed, String(Date.now()))
  window.location.reload()
  return new Promise(() => undefined)
}
