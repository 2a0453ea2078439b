import { requestFailed } from '@/lib/event'
import { adjustClock } from '@/lib/now'

// Timeouts in ms for reads and writes. A write may take longer, because the server may wait for the
// chain.
const timeout = { reading: 12_000, changing: 30_000 }

// In ms. A request that takes longer triggers a health check of the service.
const slow = 5_000

const keyHeader = 'Idempotency-Key'

// The idempotency keys of requests that received no final response, by URL and body.
const unanswered = new Map<string, string>()

/**
 * Sends a request with a timeout. A POST that received no response may have been executed, so its
 * retry reuses the idempotency key and is executed only once.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const isChange = request.method !== 'GET'
  const expiry = AbortSignal.timeout(isChange ? timeout.changing : timeout.reading)
  const signal = AbortSignal.any([request.signal, expiry])
  const sendOnce = async () => {
    const sentAt = Date.now()
    const response = await reportIfSlow(fetch(request, { signal }))
    if (isFresh(response))
      adjustClock(Date.parse(response.headers.get('Date') ?? ''), sentAt, Date.now())
    return response
  }
  if (request.method !== 'POST' || request.headers.has(keyHeader)) return sendOnce()

  const content = `${request.url} ${await request.clone().text()}`
  const key = unanswered.get(content) ?? crypto.randomUUID()
  unanswered.set(content, key)
  request.headers.set(keyHeader, key)
  const response = await sendOnce()
  if (isFinal(response.status)) unanswered.delete(content)
  return response
}

/** Whether the response comes from the server, and not from a cache. */
const isFresh = ({ headers }: Response) =>
  /no-(store|cache)/.test(headers.get('Cache-Control') ?? '')

/** Waits for a response, and reports a failure if it takes too long. */
export async function reportIfSlow<T>(response: Promise<T>): Promise<T> {
  const timer = setTimeout(requestFailed.emit, slow)
  try {
    return await response
  } finally {
    clearTimeout(timer)
  }
}

const conflict = 409

/**
 * Whether the response is final. After a 409 conflict, the first request may still be in progress.
 */
const isFinal = (status: number) => status < 500 && status !== conflict
