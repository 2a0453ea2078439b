import { expect, test } from 'vitest'
import type { Validation } from '@/api/validation'
import { checkChoice, stillOpen } from './verdict-review'

const workHash = `0x${'ab'.repeat(32)}`
const validation = { taskId: 'a', round: 0 } as Validation
const task = { status: 'validating', workHash } as const
const shown = { task, validation }

test('an unchanged task can be signed', () => {
  const newer = { ...validation, approvals: 1 }
  expect(stillOpen(shown, { task, validation: newer })).toBe(newer)
})

test('a task that has changed is rejected before signing', () => {
  const disputed = { ...validation, round: 1 }
  const other = { ...task, workHash: `0x${'cd'.repeat(32)}` }
  expect(() => stillOpen(shown, { task, validation: disputed })).toThrow('has changed')
  expect(() => stillOpen(shown, { task: other, validation })).toThrow('has changed')
})

test('a verdict that no longer counts is not signed', () => {
  const mine = { approved: true, reason: 'As agreed.' }
  const gone = (status: 'approved' | 'rejected' | 'validating') => () =>
    stillOpen(shown, { task: { ...task, status }, validation: undefined })
  expect(() =>
    stillOpen(shown, { task, validation: { ...validation, mine } as Validation }),
  ).toThrow('already')
  expect(gone('approved')).toThrow('already decided')
  expect(gone('rejected')).toThrow('already decided')
  expect(gone('validating')).toThrow('The time for verdicts is over.')
})

test('approved work can only be approved', () => {
  const approved = { agentApprovedAt: new Date() }
  const refuse = { approved: false, reason: 'No.' }
  expect(() => checkChoice(approved, refuse)).toThrow('The agent has approved the work')
  expect(() => checkChoice({}, refuse)).not.toThrow()
  expect(() => checkChoice(approved, { ...refuse, approved: true })).not.toThrow()
})
