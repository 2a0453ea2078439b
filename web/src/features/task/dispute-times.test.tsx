import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Dispute } from '@/api/dispute'
import { timesOf } from './dispute-times'

const now = new Date('2030-01-01T12:00:00Z')
const hours = (n: number) => new Date(now.getTime() + n * 3_600_000)

const dispute = (status: Dispute['status'], filedBy: Dispute['filedBy'], deadline: number) =>
  ({ status, filedBy, deadline: hours(deadline), createdAt: hours(-1) }) as Dispute

/** Returns the text for a dispute whose dispute window ends after `windowEnds` hours. */
const textOf = (of: Dispute, viewer: 'human' | 'validator', windowEnds: number) =>
  renderToStaticMarkup(timesOf(of, { disputeDeadline: hours(windowEnds) }, viewer, now)).replaceAll(
    /<[^>]*>/g,
    '',
  )

test('the human who must answer is addressed', () => {
  const text = textOf(dispute('open', 'agent', 47), 'human', 20)
  expect(text).toMatch(/^You can answer until .* Validators can already vote/)
  expect(text).not.toContain('The human')
})

test('validators see that the human can still answer', () => {
  expect(textOf(dispute('open', 'agent', 47), 'validator', 20)).toMatch(
    /^The human can answer until .* can already vote/,
  )
})

test.each([
  ['open', /^The agent can answer until .* Validators can vote from /],
  ['voting', /^Validators can vote from /],
] as const)('no vote is announced as under way before it opens: %s', (status, words) => {
  const text = textOf(dispute(status, 'human', 47), 'human', 20)
  expect(text).toMatch(words)
  expect(text).not.toMatch(/already|should decide/)
})

test('once voting is open, its end is named', () => {
  expect(textOf(dispute('voting', 'human', 30), 'human', -2)).toMatch(
    /^Validators should decide by/,
  )
  expect(textOf(dispute('escalated', 'agent', 30), 'human', -2)).toMatch(/^Validators are late/)
})
