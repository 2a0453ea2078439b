import { encodeErrorResult } from 'viem'
import { expect, test } from 'vitest'
import { ContractRefusal, walletFault } from './errors'
import { errorsAbi } from './gen/abi.gen'
import { refusals } from './gen/refusals.gen'
import type { Intent } from './intent'
import { refusalOf } from './node'
import { partsOf } from './permit'
import { checkProposal } from './review'

const to = '0x1000000000000000000000000000000000000001'
const target = { to, data: '0xabcdef01' } as const
const intent: Intent = {
  does: 'Settles.',
  call: { contract: 'escrow', name: 'settle', args: [1n] },
}
const proposal = {
  to: to.toUpperCase().replace('X', 'x'),
  chainId: 5,
  value: '0',
  data: '0xABCDEF01',
}

test('a proposal that equals the call is accepted in any case', () => {
  checkProposal({ ...intent, proposal }, target, 5)
  checkProposal(intent, target, 5)
})

test.each([
  ['another contract', { to: '0x2000000000000000000000000000000000000001' }],
  ['another chain', { chainId: 6 }],
  ['a payment in the native currency', { value: '1' }],
  ['other arguments', { data: '0xabcdef02' }],
  ['something appended', { data: '0xabcdef0100' }],
])('a proposal with %s is rejected', (_, other) => {
  const wrong = { ...intent, proposal: { ...proposal, ...other } }
  expect(() => checkProposal(wrong, target, 5)).toThrow('proposed a different transaction')
})

test("a contract error is described in the command line's words", () => {
  const data = encodeErrorResult({ abi: errorsAbi, errorName: 'AlreadyApplied', args: [3n] })
  const thrown = new Error('outer', { cause: Object.assign(new Error('reverted'), { data }) })
  const refusal = refusalOf(thrown)
  expect(refusal).toBeInstanceOf(ContractRefusal)
  const words = refusals.AlreadyApplied?.sentence ?? ''
  expect(walletFault(refusal).title.toLowerCase()).toBe(`${words}.`)
  expect(refusalOf(Object.assign(new Error('reverted'), { data: { data } }))).toEqual(refusal)
})

test('other errors are not contract refusals', () => {
  expect(refusalOf(new Error('the node is unreachable'))).toBeUndefined()
  expect(refusalOf(Object.assign(new Error('reverted'), { data: '0x' }))?.refusal).toBe('')
})

test('a signature is split, with either encoding of v', () => {
  const half = (digit: string) => digit.repeat(64)
  const parts = { r: `0x${half('1')}`, s: `0x${half('2')}` }
  expect(partsOf(`0x${half('1')}${half('2')}1c`)).toEqual({ ...parts, v: 28 })
  expect(partsOf(`0x${half('1')}${half('2')}00`)).toEqual({ ...parts, v: 27 })
  expect(() => partsOf('0x1234')).toThrow('does not accept')
})
