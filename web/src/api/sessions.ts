import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSessions, logoutSession } from './gen/sdk.gen'
import type { SessionRecord } from './gen/types.gen'
import { signOutEverywhere } from './session'

/** A browser in which the human is signed in. */
export interface SignedIn {
  id: string
  isCurrent: boolean
  browser: SessionRecord['browser']
  system: SessionRecord['system']
  /** The network of the last use; undefined if it is unknown. */
  network: string | undefined
  signedInAt: Date
  usedAt: Date
}

const toSignedIn = (record: SessionRecord): SignedIn => ({
  id: record.id,
  isCurrent: record.is_current,
  browser: record.browser,
  system: record.system,
  network: record.network,
  signedInAt: new Date(record.created_at),
  usedAt: new Date(record.last_used_at),
})

/** The human's sessions, the most recently used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await listSessions({ signal })).sessions.map(toSignedIn),
})

/** Ends a session in another browser. `onSuccess` runs even if the session is no longer listed by then. */
export function useEndSession(onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => logoutSession({ path: { sessionId: id } }),
    onSuccess,
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  })
}

/** Ends all sessions, including this one. `onSuccess` runs even if the page has been left by then. */
export function useSignOutEverywhere(onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: () => signOutEverywhere(queries), onSuccess })
}
