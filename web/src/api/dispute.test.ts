import { expect, test } from 'vitest'
import { answererOf } from './dispute'

const deadline = new Date('2030-01-01T12:00:00Z')
const before = new Date(deadline.getTime() - 1)

test('the other party can answer until the deadline', () => {
  expect(answererOf({ status: 'open', filedBy: 'agent', deadline }, before)).toBe('human')
  expect(answererOf({ status: 'open', filedBy: 'human', deadline }, before)).toBe('agent')
  expect(answererOf({ status: 'open', filedBy: 'agent', deadline }, deadline)).toBeUndefined()
  expect(answererOf({ status: 'voting', filedBy: 'agent', deadline }, before)).toBeUndefined()
})
