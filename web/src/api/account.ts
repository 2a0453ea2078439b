import type { QueryClient } from '@tanstack/react-query'
import { ApiError, outdated } from './error'
import { eraseAccount as erase, exportAccount } from './gen/sdk.gen'
import type { AccountRecord } from './gen/types.gen'
import { forgetSession } from './session'

/**
 * Reads all records of the signed-in human's account. An account with thousands of records exceeds the
 * rate limit; then it waits as long as the server requests.
 */
export async function readAccount(): Promise<AccountRecord[]> {
  const all: AccountRecord[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await patiently(() => exportAccount({ query: cursor ? { cursor } : {} }))
    all.push(...page.records)
    cursor = page.next_cursor
  }
  return all
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || !error.retryAfter) throw error
      const { retryAfter } = error
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000))
    }
  }
}

/**
 * Returns the text that the account's wallet must sign to delete the account. Rejects with an ApiError
 * if the account cannot be deleted now.
 */
export async function erasureText(username: string): Promise<string> {
  try {
    await erase({ body: { username } })
  } catch (error) {
    if (error instanceof ApiError && error.challenge) return error.challenge
    throw error
  }
  throw outdated()
}

/** Deletes the signed-in human's account, which ends its sessions. */
export async function eraseAccount(
  queries: QueryClient,
  body: { username: string; challenge: string; signature: string },
) {
  await erase({ body })
  forgetSession(queries)
}
