import { messages } from '@/messages/api'
import type { ErrorDetail, ApiError as Wire } from './gen/types.gen'

/**
 * The error of a request that was rejected or received no response. Its message is shown to the
 * user.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** The stable error code of the API; `offline` if there was no response. */
  readonly code: string
  readonly hint?: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly requestId?: string | undefined
  /** The seconds to wait before a retry, if the server sent them. */
  readonly retryAfter?: number | undefined
  /** The text that the account's wallet must sign, if the error is `signature_required`. */
  readonly challenge?: string | undefined

  constructor(
    status: number,
    wire: Partial<Wire> & { error: string; message: string; challenge?: string },
    retryAfter?: number,
  ) {
    super(wire.message)
    this.status = status
    this.code = wire.error
    this.hint = wire.error === 'account_restricted' ? messages.restricted : wire.hint
    this.details = wire.details ?? []
    this.requestId = wire.request_id
    this.retryAfter = retryAfter
    this.challenge = wire.challenge
  }

  /** Whether the same request can succeed later. */
  get transient(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503
  }

  /** The server's message about one field of the request. */
  messageFor(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message
  }
}

/** Creates the error for a request without a response. */
export const unreachable = () => new ApiError(0, { error: 'offline', ...messages.offline })

/** Creates the error for a version of the app that the server no longer serves. */
export const outdated = () => new ApiError(404, { error: 'outdated', ...messages.outdated })

/** Whether an error is an API response with one of these statuses. */
export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status)

/** Describes a failed request and the suggested next step, in sentences. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof ApiError && error.hint ? `${error.message} ${error.hint}` : error.message
}

/** The status and headers of a failed response. */
type Answer = Pick<Response, 'status'> & Partial<Pick<Response, 'headers'>>

/**
 * Converts the error of a failed request to an ApiError. The error of an aborted request is returned
 * unchanged.
 */
export function toApiError(cause: unknown, response: Answer | undefined): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause
  if (!response || (cause instanceof DOMException && cause.name === 'TimeoutError'))
    return unreachable()
  if (isWire(cause)) return new ApiError(response.status, cause, secondsOf(response))
  return new ApiError(response.status, { error: 'unreadable', ...messages.unreadable })
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
