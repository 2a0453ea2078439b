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

test('the chain must store both sides, the amount and the fee', () => {
  const [{ is } = { is: [] }] = aboutTask(task).expects
  expect(is).toEqual([agent, human, task.escrowAmount, 500])
  const [open] = aboutTask({ ...task, humanWalletAddress: undefined }).expects
  expect(open?.is[1]).toBe(`0x${'00'.repeat(20)}`)
})

test('a payout that does not result from amount and fee is rejected', () => {
  expect(() => aboutTask({ ...task, payoutAmount: task.payoutAmount + 1n })).toThrow(
    'Nothing was signed',
  )
  expect(() => aboutTask({ ...task, feeBasisPoints: 499 })).toThrow('Nothing was signed')
})

test('the chain must store the wallet, task and amount of a stake', () => {
  const [{ is } = { is: [] }] = aboutStake(human, task, { stakeId: 3n, stakeAmount: 5n }).expects
  expect(is).toEqual([human, agent, 7n, 5n])
})
