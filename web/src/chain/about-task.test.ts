import { expect, test } from 'vitest'
import { aboutStake, aboutTask, type ShownTask } from './about-task'

const agent = `0x${'11'.repeat(20)}`
const human = `0x${'22'.repeat(20)}`
const task: ShownTask = {
  escrowTaskId: 7n,
  agentWalletAddress: agent,
  humanWalletAddress: human,
  escrowAmount: 10n * 10n ** 18n,
  feeBasisPoints: 500,
  payoutAmount: 95n * 10n ** 17n,
}

test('the chain must know the two sides, the amount and the fee', () => {
  const [{ is } = { is: [] }] = aboutTask(task).expects
  expect(is).toEqual([agent, human, task.escrowAmount, 500])
  const [open] = aboutTask({ ...task, humanWalletAddress: undefined }).expects
  expect(open?.is[1]).toBe(`0x${'00'.repeat(20)}`)
})

test('pay that does not follow from the amount and the fee is not believed', () => {
  expect(() => aboutTask({ ...task, payoutAmount: task.payoutAmount + 1n })).toThrow(
    'Nothing was signed',
  )
  expect(() => aboutTask({ ...task, feeBasisPoints: 499 })).toThrow('Nothing was signed')
})

test('a stake is of one wallet, for one task, of one amount', () => {
  const [{ is } = { is: [] }] = aboutStake(human, task, { stakeId: 3n, stakeAmount: 5n }).expects
  expect(is).toEqual([human, agent, 7n, 5n])
})
