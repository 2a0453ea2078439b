import { expect, test } from 'vitest'
import { entryOf, plain, wordOf } from './known'

const words = { new: 'Not funded' }

test('an unknown value has no entry, and is shown in words', () => {
  expect(entryOf(words, 'new')).toBe('Not funded')
  expect(entryOf(words, 'on_hold')).toBeUndefined()
  expect(entryOf(words, 'constructor')).toBeUndefined()
  expect(wordOf(words, 'new')).toBe('Not funded')
  expect(wordOf(words, 'on_hold')).toBe('On hold')
  expect(plain('paused')).toBe('Paused')
})
