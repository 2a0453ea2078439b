import type { Task } from '@/api/task'
import { payoutOf } from '@/lib/amount'
import { otherChain } from './errors'
import type { Intent } from './intent'

export type ShownTask = Pick<
  Task,
  | 'escrowTaskId'
  | 'agentWalletAddress'
  | 'humanWalletAddress'
  | 'escrowAmount'
  | 'feeBasisPoints'
  | 'payoutAmount'
>

type Expectations = NonNullable<Intent['expects']>

const zeroAddress = '0x0000000000000000000000000000000000000000'

/**
 * Returns the task's id in the escrow contract, with the agent, human, amount and fee that the
 * contract must store. Throws if the displayed payout does not match the amount and the fee.
 */
export function aboutTask(task: ShownTask): { id: bigint; expects: Expectations } {
  const { escrowTaskId: id, escrowAmount, feeBasisPoints } = task
  if (id === undefined) throw new Error('no payment is locked for this task')
  if (payoutOf(escrowAmount, feeBasisPoints) !== task.payoutAmount) throw otherChain()
  const human = task.humanWalletAddress ?? zeroAddress
  return {
    id,
    expects: [
      {
        read: { contract: 'escrow', name: 'getTask', args: [id] },
        is: [task.agentWalletAddress, human, escrowAmount, feeBasisPoints],
      },
    ],
  }
}

/** Returns the stake's id, with the wallet, task and amount that the contract must store. */
export function aboutStake(
  wallet: string,
  task: Pick<Task, 'escrowTaskId' | 'agentWalletAddress'>,
  stake: { stakeId?: bigint | undefined; stakeAmount: bigint },
): { id: bigint; expects: Expectations } {
  const { stakeId: id, stakeAmount } = stake
  if (id === undefined) throw new Error('no stake is locked')
  return {
    id,
    expects: [
      {
        read: { contract: 'staking', name: 'getStake', args: [id] },
        is: [wallet, task.agentWalletAddress, task.escrowTaskId, stakeAmount],
      },
    ],
  }
}
