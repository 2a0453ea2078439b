import { messages } from '@/messages/api'
import type { ErrorDetail, ApiError as Wire } from './gen/types.gen'

/** Why a request was refused, or did not get through. Its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /** The stable code of the API; `offline` where there was no answer. */
  readonly code: string
  readonly hint?: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId?: string | undefined
  /** After how many seconds to try again, where the server says so. */
  readonly retryAfter?: number | undefined

  constructor(
    status: number,
    wire: Partial<Wire> & { error: string; message: string },
    retryAfter?: number,
  ) {
    super(wire.message)
    this.status = status
    this.code = wire.error
    this.hint = wire.hint
    this.details = wire.details ?? []
    this.requestId = wire.request_id
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed a little later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503
  }

  /** What is wrong with one member of the request. */
  faultOf(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message
  }
}

/** There was no answer. */
export const away = () =>
  new ApiError(0, {
    error: 'offline',
    message: messages.offline.message,
    hint: messages.offline.hint,
  })

/** A newer version of the app has taken the place of the one that the page is of. */
export const outdated = () =>
  new ApiError(404, {
    error: 'outdated',
    message: messages.outdated.message,
    hint: messages.outdated.hint,
  })

/** What there was of an answer. */
type Answer = Pick<Response, 'status'> & Partial<Pick<Response, 'headers'>>

/** Converts the outcome of a failed request to an ApiError. */
export function toApiError(cause: unknown, response: Answer | undefined): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause
  if (!response || (cause instanceof DOMException && cause.name === 'TimeoutError')) return away()
  if (isWire(cause)) return new ApiError(response.status, cause, secondsOf(response))
  return new ApiError(response.status, {
    error: 'unreadable',
    message: messages.unreadable.message,
    hint: messages.unreadable.hint,
  })
}

function secondsOf({ headers }: Answer): number | undefined {
  const seconds = Number(headers?.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

function isWire(cause: unknown): cause is Wire {
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'error' in cause &&
    typeof cause.error === 'string' &&
    'message' in cause &&
    typeof cause.message === 'string'
  )
}
