import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { deleteStored, storedValue, useStoredValue } from '@/lib/stored-value'
import { setCsrfToken } from './client'
import { ApiError } from './error'
import { startEventsAfter } from './events'
import {
  getSession,
  getSiweMessage,
  loginWithEthereum,
  logout,
  logoutEverywhere,
} from './gen/sdk.gen'
import { type Human, toHuman } from './human'
import { invalidate } from './invalidate'

// The id of the human who signed in last. Scripts cannot read the session cookie, so this value
// indicates whether there may be a session: visitors who never signed in do not request one. It
// also notifies other tabs and shows whether another account has signed in since.
const signedInOnce = storedValue<string | null>(
  'signed-in',
  (stored) => stored,
  (id) => id,
)

// The id of the human whose drafts this browser stores. They are restored when the same human signs
// in again.
const draftsOf = storedValue<string | null>(
  'drafts-of',
  (stored) => stored,
  (id) => id,
)

const sessionKey = ['session']

/** The signed-in human; null if there is no session. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Human | null> => {
    if (!signedInOnce.get()) return null
    try {
      const session = await getSession({ signal })
      setCsrfToken(session.csrf_token)
      startEventsAfter(session.events_after)
      return toHuman(session.human)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      signedInOnce.set(null)
      return null
    }
  },
})

/** The signed-in human: undefined while the session is loading, null if there is none. */
export function useSession(): Human | null | undefined {
  useStoredValue(signedInOnce)
  return useQuery(sessionQuery).data
}

/** Subscribes to other tabs: a sign-in or sign-out in one tab applies to all. */
export function followSession(queries: QueryClient) {
  return signedInOnce.subscribe(() => {
    const human = queries.getQueryData(sessionQuery.queryKey)
    if (signedInOnce.get() === (human?.id ?? null)) return
    setCsrfToken(undefined)
    void queries.resetQueries()
  })
}

/** Reads the session again and returns whether it has ended. If so, signs this tab out. */
export async function isSessionOver(queries: QueryClient): Promise<boolean> {
  if (!queries.getQueryData(sessionKey)) return false
  await queries.invalidateQueries({ queryKey: sessionKey })
  return queries.getQueryData(sessionKey) === null
}

/** Returns the exact text that the wallet must sign. */
export async function signInMessage(address: string): Promise<string> {
  return (await getSiweMessage({ query: { address } })).message
}

/** Starts a session and refetches everything, because earlier responses were anonymous. */
export async function signIn(
  queries: QueryClient,
  message: string,
  signature: string,
): Promise<Human> {
  const opened = await loginWithEthereum({ body: { message, signature } })
  const human = toHuman(opened.human)
  setCsrfToken(opened.csrf_token)
  startEventsAfter(opened.events_after)
  queries.setQueryData(sessionKey, human)
  signedInOnce.set(human.id)
  if (draftsOf.get() !== human.id) deleteStored('drafts.')
  draftsOf.set(human.id)
  await invalidate(queries, (query) => query.queryKey[0] !== sessionKey[0])
  return human
}

/** Ends the session, first on the server and then in this browser. */
export async function signOut(queries: QueryClient) {
  try {
    await logout()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  forgetSession(queries)
}

/** Ends all of the human's sessions, first on the server and then in this browser. */
export async function signOutEverywhere(queries: QueryClient) {
  await logoutEverywhere()
  forgetSession(queries)
}

/** Signs this browser out, after the server has ended the session. */
export function forgetSession(queries: QueryClient) {
  setCsrfToken(undefined)
  queries.setQueryData(sessionKey, null)
  signedInOnce.set(null)
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] })
}
