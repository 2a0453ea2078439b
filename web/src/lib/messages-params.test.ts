import { expect, test } from 'vitest'
import { readMessagesParams } from './messages-params'

test('the folder of the address is one of the known folders', () => {
  expect(readMessagesParams({ folder: 'requests' })).toEqual({ folder: 'requests' })
  expect(readMessagesParams({ folder: 'spam' })).toEqual({})
  expect(readMessagesParams({ folder: ['blocked'] })).toEqual({})
  expect(readMessagesParams({})).toEqual({})
})
