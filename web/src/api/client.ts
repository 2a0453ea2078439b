import { unauthorized } from '@/lib/event'
import { cleanText } from '@/lib/user-text'
import { toApiError } from './error'
import { client } from './gen/client.gen'
import { send } from './send'

let csrf: string | undefined

/** Sets the session's CSRF token, which is sent with every request other than GET. */
export function setCsrfToken(token: string | undefined) {
  csrf = token
}

/** The CSRF header for requests that are made without the generated client. */
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
 * Sets the client's credentials mode and its fetch function. Must be called once before the first
 * request. The call also prevents bundlers from removing this module, which adds the interceptors.
 */
export function setUpClient() {
  client.setConfig({ credentials: 'same-origin', fetch: send, bodySerializer: toJSON })
}

/** Serialises a request body, with the texts as the service stores them. */
const toJSON = (body: unknown) =>
  JSON.stringify(body, (_name, value) => (typeof value === 'string' ? cleanText(value) : value))
