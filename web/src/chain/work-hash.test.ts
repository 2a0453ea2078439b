import { expect, test } from 'vitest'
import { workHash } from './work-hash'

const work = {
  termsHash: `0x${'11'.repeat(32)}`,
  agent: `0x${'22'.repeat(20)}`,
  human: `0x${'33'.repeat(20)}`,
  note: 'Ten photos.',
  proofUrl: '',
  files: ['aa'.repeat(32), '0b'.repeat(32)],
}

test('the work hash equals the server’s', () => {
  expect(workHash(work)).toBe('0x999e73a64b7899a5fdf75581356c34c9705c19c08816f900f5d0f03ac92c5a91')
})

test('the work hash depends on the files but not on their order', () => {
  expect(workHash({ ...work, files: work.files.toReversed() })).toBe(workHash(work))
  expect(workHash({ ...work, files: work.files.slice(1) })).not.toBe(workHash(work))
})
