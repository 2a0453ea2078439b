import { expect, test } from 'vitest'
import { readBoardParams } from './board-params'

test('valid parameters are read', () => {
  const params = {
    q: 'harbour',
    skill: 'photography',
    place: 'Lisbon',
    remote: 'no',
    min: '0.5',
    days: 3,
    sort: 'amount',
  }
  expect(readBoardParams(params)).toEqual(params)
  expect(readBoardParams({ min: 5, q: 2026 })).toEqual({ min: '5', q: '2026' })
})

test.each([
  [{}],
  [{ q: '   ' }],
  [{ q: ['a'], skill: { x: 1 }, place: null }],
  [{ remote: 'maybe', sort: 'newest', days: 2 }],
  [{ page: '3', unknown: 'x' }],
])('%j is an empty search', (raw) => {
  expect(readBoardParams(raw)).toEqual({})
})

test('long texts are truncated', () => {
  expect(readBoardParams({ q: 'a'.repeat(500) }).q).toHaveLength(200)
  // Half of a surrogate pair could not be encoded in a request.
  expect(readBoardParams({ q: `a${'👍'.repeat(500)}` }).q).toBe(`a${'👍'.repeat(199)}`)
})
