import { toApiError } from './error'
import { client } from './gen/client.gen'

let csrf: string | undefined

/** Sets the session's token, which requests that change something carry. */
export function setCsrfToken(token: string | undefined) {
  csrf = token
}

client.interceptors.request.use((request) => {
  if (csrf && request.method !== 'GET') request.headers.set('X-CSRF-Token', csrf)
  return request
})
client.interceptors.error.use((error, response) => toApiError(error, response))

/**
 * Must be called once before the first request. Importing this module is what sets the client
 * up; a call keeps the import from looking superfluous.
 */
export function setUpClient() {
  client.setConfig({ credentials: 'same-origin' })
}
