import { expect, test } from 'vitest'
import { drafts, emptyDraft, errorsOf, storeDraft } from './draft'

test.each([
  ['nothing', { ...emptyDraft, note: ' ' }, 0, { note: 'Write a note, add a link or add a file.' }],
  ['a file alone', emptyDraft, 1, {}],
  ['a note alone', { ...emptyDraft, note: 'Done.' }, 0, {}],
  ['a link', { ...emptyDraft, link: ' https://example.org/a ' }, 0, {}],
  [
    'an unsafe link',
    { ...emptyDraft, link: 'javascript:alert(1)' },
    1,
    { link: 'Enter the full address, starting with https://' },
  ],
])('%s', (_, draft, files, faults) => {
  expect(errorsOf(draft, files)).toEqual(faults)
})

test('the latest ten drafts are stored', () => {
  for (let i = 0; i < 12; i++) storeDraft(`${i}`, { ...emptyDraft, note: `note ${i}` })
  storeDraft('11', undefined)
  expect(drafts.get().map(({ task }) => Number(task))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2])
})
