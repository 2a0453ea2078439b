import { expect, test } from 'vitest'
import { toHuman } from '@/api/human'
import { changeOf, draftOf, errorsOf } from './profile-draft'

const newcomer = toHuman({
  id: '0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80',
  username: 'human-1234',
  display_name: 'human-1234',
  bio: '',
  wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  skills: [],
  remote: true,
  is_available: false,
  is_verified: false,
  is_validator: false,
  created_at: '2026-11-21T12:00:00.000Z',
})

test('a new profile needs a name and skills', () => {
  const draft = draftOf(newcomer)
  expect(draft.name).toBe('')
  expect(Object.keys(errorsOf(draft))).toEqual(['name', 'skills'])
  expect(changeOf(draft)).toBeUndefined()
})

test('a valid form is converted, with the rate in wei', () => {
  const draft = { ...draftOf(newcomer), name: ' Mara ', skills: ['photography'], rate: '2.5' }
  expect(changeOf(draft)).toMatchObject({
    name: 'Mara',
    hourlyRate: 25n * 10n ** 17n,
    isAvailable: true,
  })
})

test.each([
  ['rate', 'a lot'],
  ['username', '-mara'],
])('%s cannot be "%s"', (field, value) => {
  const draft = { ...draftOf(newcomer), name: 'Mara', skills: ['photography'], [field]: value }
  expect(Object.keys(errorsOf(draft))).toEqual([field])
})
