import { expect, test } from 'vitest'
import type { Contracts } from '@/api/contracts'
import { TransactionFault } from './errors'
import { isSameVerdict, verdictData } from './verdict'

const escrowAddress = '0xe5C0000000000000000000000000000000000002'
const contracts = { chainId: 31337, escrowAddress } as Contracts
const task = { escrowTaskId: 7n, workHash: `0x${'ab'.repeat(32)}`, escrowAddress }

type TypedData = Parameters<typeof isSameVerdict>[1]

const theirs = (change: (data: TypedData) => void = () => undefined): TypedData => {
  const data = JSON.parse(
    JSON.stringify({
      types: {
        EIP712Domain: [],
        Verdict: [
          { name: 'taskId', type: 'uint256' },
          { name: 'workHash', type: 'bytes32' },
          { name: 'round', type: 'uint8' },
          { name: 'approved', type: 'bool' },
        ],
      },
      primaryType: 'Verdict',
      domain: {
        name: 'TaskmarketEscrow',
        version: '1',
        chainId: 31337,
        verifyingContract: escrowAddress,
      },
      message: { taskId: '7', workHash: task.workHash, round: '0', approved: true },
    }),
  ) as TypedData
  change(data)
  return data
}

test('only the expected verdict is signed', () => {
  const ours = verdictData(contracts, task, 0, true)
  expect(isSameVerdict(ours, theirs())).toBe(true)
  const lies: ((data: TypedData) => void)[] = [
    (data) => Object.assign(data.message, { approved: false }),
    (data) => Object.assign(data.message, { taskId: '8' }),
    (data) => Object.assign(data.message, { round: '1' }),
    (data) => Object.assign(data.message, { workHash: `0x${'00'.repeat(32)}` }),
    (data) => Object.assign(data.message, { spender: escrowAddress }),
    (data) => Object.assign(data.domain, { chainId: 1 }),
    (data) => Object.assign(data.domain, { verifyingContract: `0x${'1'.repeat(40)}` }),
    (data) => Object.assign(data, { primaryType: 'Permit' }),
  ]
  for (const lie of lies) expect(isSameVerdict(ours, theirs(lie))).toBe(false)
})

test('a verdict needs submitted work', () => {
  const open = { ...task, workHash: undefined }
  expect(() => verdictData(contracts, open, 0, true)).toThrow(TransactionFault)
  const other = { ...task, escrowAddress: `0x${'1'.repeat(40)}` }
  expect(() => verdictData(contracts, other, 0, true)).toThrow(TransactionFault)
})
