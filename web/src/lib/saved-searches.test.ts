import { expect, test } from 'vitest'
import { describeSearch, maxSearches, readSearches, sameSearch } from './saved-searches'

const lisbon = { name: 'Lisbon', params: { place: 'Lisbon', remote: 'no' } }

test('saved searches are read', () => {
  expect(readSearches(JSON.stringify([lisbon]))).toEqual([lisbon])
})

test.each([
  null,
  '',
  'no JSON',
  '{}',
  'null',
  '[null, 1, "x", [], {}]',
  '[{"name":"","params":{"q":"x"}}]',
  '[{"name":1,"params":{"q":"x"}}]',
  '[{"name":"x","params":null}]',
  '[{"name":"asks for nothing","params":{"unknown":"x"}}]',
])('%s has no searches', (stored) => {
  expect(readSearches(stored)).toEqual([])
})

test('valid searches are read among invalid ones', () => {
  expect(readSearches(JSON.stringify([7, { ...lisbon, more: 1 }]))).toEqual([lisbon])
  expect(readSearches(JSON.stringify(Array(100).fill(lisbon)))).toHaveLength(maxSearches)
})

test('the order of the fields does not matter', () => {
  expect(sameSearch({ q: 'a', place: 'b' }, { place: 'b', q: 'a' })).toBe(true)
  expect(sameSearch({ q: 'a' }, { q: 'a', place: 'b' })).toBe(false)
})

test.each([
  [{ q: 'harbour' }, '“harbour”'],
  [{ place: 'Lisbon', remote: 'no', min: '5' }, 'Lisbon, on site, from 5 TASK'],
  [{ q: 'x'.repeat(200) }, `“${'x'.repeat(59)}`],
] as const)('the search %j is described as %s', (params, name) => {
  expect(describeSearch(params, 'TASK')).toBe(name)
})
