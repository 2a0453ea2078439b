import { expect, test } from 'vitest'
import { toCsv } from './csv'

test('cells are quoted', () => {
  expect(toCsv(['a', 'b'], [['say "hi", now', 'two\nlines']])).toBe(
    '"a","b"\r\n"say ""hi"", now","two\nlines"\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=cmd'])(
  'a formula becomes text: %j',
  (value) => {
    expect(toCsv([], [[value]])).toContain(`"'${value}"`)
  },
)

test('an amount stays a number', () => {
  expect(toCsv([], [['9.5']])).toContain('"9.5"')
})
