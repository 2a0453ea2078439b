import { unauthorized } from '@/lib/event'
import { toApiError } from './error'
import { client } from './gen/client.gen'
import { send } from './send'

let csrf: string | undefined

/** Sets the session's CSRF token, which every request that is not a GET sends. */
export function setCsrfToken(token: string | undefined) {
  csrf = token
}

/** The CSRF header, for requests that do not use the client. */
export const csrfHeader = (): Record<string, string> => (csrf ? { 'X-CSRF-Token': csrf } : {})

client.interceptors.request.use((request) => {
  if (request.method === 'GET') return request
  for (const [name, value] of Object.entries(csrfHeader())) request.headers.set(name, value)
  return request
})
client.interceptors.error.use((error, response) => {
  if (response?.status === 401) unauthorized.emit()
  return toApiError(error, response)
})

/**
 * Call this once before the first request. Importing this module configures the client; the call
 * prevents bundlers from removing the import as unused.
 */
export function setUpClient() {
  client.setConfig({ credentials: 'same-origin', fetch: send })
}
