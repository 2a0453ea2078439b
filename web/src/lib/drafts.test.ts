import { expect, test } from 'vitest'
import { draftOf, storeDraft } from './drafts'

test('a sent text deletes its draft, but not what another tab has typed since', () => {
  storeDraft('answer:1', 'mine', '')
  storeDraft('answer:1', 'typed in another tab', 'mine')
  storeDraft('answer:1', '', 'mine') // this tab has sent its own text
  expect(draftOf('answer:1')).toBe('typed in another tab')
  storeDraft('answer:1', '', 'typed in another tab')
  expect(draftOf('answer:1')).toBe('')
})

test('the latest twenty drafts are stored', () => {
  for (let i = 0; i < 25; i++) storeDraft(`answer:${i}`, `text ${i}`, '')
  expect(draftOf('answer:4')).toBe('')
  expect(draftOf('answer:5')).toBe('text 5')
})
