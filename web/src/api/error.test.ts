import { expect, test } from 'vitest'
import { ApiError, errorText, toApiError } from './error'

const wire = { error: 'rate_limited', message: 'Too many requests.' }

test.each([
  ['7', 7],
  [undefined, undefined],
  ['soon', undefined],
])('Retry-After of %s', (header, seconds) => {
  const headers = header === undefined ? {} : { 'Retry-After': header }
  const error = toApiError(wire, new Response(null, { status: 429, headers }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: seconds })
})

test('a request without a response is reported as offline', () => {
  expect(toApiError(new TypeError('failed to fetch'), undefined)).toMatchObject({
    status: 0,
    code: 'offline',
    transient: true,
  })
})

test('a response that is not from the API is not shown', () => {
  const error = toApiError('<html>', new Response(null, { status: 502 }))
  expect(error).toMatchObject({ message: 'The server returned an unexpected response.' })
})

test.each([
  [new ApiError(429, { ...wire, hint: 'Wait a minute.' }), 'Too many requests. Wait a minute.'],
  [new ApiError(429, wire), 'Too many requests.'],
  [
    new ApiError(403, { error: 'account_restricted', message: 'Your account was suspended.' }),
    'Your account was suspended. Your notices show the reasons, and you can appeal there. Payments are not affected.',
  ],
  [new Error('Too large.'), 'Too large.'],
  ['lost', 'lost'],
])('the text of an error includes its hint: %s', (error, text) => {
  expect(errorText(error)).toBe(text)
})
