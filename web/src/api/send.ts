import { requestFailed } from '@/lib/event'

// The timeout of a read, in ms. A write may take longer, because it may wait for the chain.
const patience = { reading: 12_000, changing: 30_000 }

// After so long it is asked whether the service is there at all.
const long = 5_000

const keyHeader = 'Idempotency-Key'

// The keys of requests that had no answer, by what was asked.
const unanswered = new Map<string, string>()

/**
 * Sends a request, and gives up where no answer comes. One that had none may have been done all
 * the same: asked for once more, it carries the same key, so that it is done once.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const isChange = request.method !== 'GET'
  const limit = AbortSignal.timeout(isChange ? patience.changing : patience.reading)
  const signal = AbortSignal.any([request.signal, limit])
  const ask = () => noticed(fetch(request, { signal }))
  if (request.method !== 'POST' || request.headers.has(keyHeader)) return ask()

  const what = `${request.url} ${await request.clone().text()}`
  const key = unanswered.get(what) ?? crypto.randomUUID()
  unanswered.set(what, key)
  request.headers.set(keyHeader, key)
  const answer = await ask()
  if (isAnswered(answer.status)) unanswered.delete(what)
  return answer
}

/** Waits for something, and says so when it takes long. */
export async function noticed<T>(answer: Promise<T>): Promise<T> {
  const timer = setTimeout(requestFailed.emit, long)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

const conflict = 409

/** Whether nothing is open any more: with a conflict the first request may still be under way. */
const isAnswered = (status: number) => status < 500 && status !== conflict
