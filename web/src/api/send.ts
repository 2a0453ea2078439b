import { requestFailed } from '@/lib/event'

// The timeout of a read, in ms. A write may take longer, because it may wait for the chain.
const timeout = { reading: 12_000, changing: 30_000 }

// In ms: a slower request triggers a health check of the service.
const slow = 5_000

const keyHeader = 'Idempotency-Key'

// The idempotency keys of requests without a response, by URL and body.
const unanswered = new Map<string, string>()

/**
 * Sends a request with a timeout. A POST without a response may have been executed: its retry
 * reuses the idempotency key, so that it is executed once.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const isChange = request.method !== 'GET'
  const expiry = AbortSignal.timeout(isChange ? timeout.changing : timeout.reading)
  const signal = AbortSignal.any([request.signal, expiry])
  const sendOnce = () => reportIfSlow(fetch(request, { signal }))
  if (request.method !== 'POST' || request.headers.has(keyHeader)) return sendOnce()

  const content = `${request.url} ${await request.clone().text()}`
  const key = unanswered.get(content) ?? crypto.randomUUID()
  unanswered.set(content, key)
  request.headers.set(keyHeader, key)
  const answer = await sendOnce()
  if (isFinal(answer.status)) unanswered.delete(content)
  return answer
}

/** Awaits a response, and reports a failure if it takes long. */
export async function reportIfSlow<T>(answer: Promise<T>): Promise<T> {
  const timer = setTimeout(requestFailed.emit, slow)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

const conflict = 409

/** Whether the response is final. After a conflict the first request may still be in progress. */
const isFinal = (status: number) => status < 500 && status !== conflict
