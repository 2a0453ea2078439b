import type { Contracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'
import { messages } from '@/messages/chain'
import { TransactionFault } from './errors'

const verdictName = 'TaskmarketEscrow'
const verdictVersion = '1'

/**
 * Returns the EIP-712 typed data of a verdict, which is valid only for this work and this round.
 */
export function verdictData(
  contracts: Contracts,
  task: Pick<Task, 'escrowTaskId' | 'workHash' | 'escrowAddress'>,
  round: number,
  approved: boolean,
) {
  if (task.escrowTaskId === undefined || !task.workHash) throw new TransactionFault(messages.noWork)
  if (task.escrowAddress.toLowerCase() !== contracts.escrowAddress.toLowerCase())
    throw new TransactionFault(messages.otherMarket)
  return {
    domain: {
      name: verdictName,
      version: verdictVersion,
      chainId: contracts.chainId,
      verifyingContract: contracts.escrowAddress as `0x${string}`,
    },
    types: {
      Verdict: [
        { name: 'taskId', type: 'uint256' },
        { name: 'workHash', type: 'bytes32' },
        { name: 'round', type: 'uint8' },
        { name: 'approved', type: 'bool' },
      ],
    },
    primaryType: 'Verdict',
    message: {
      taskId: task.escrowTaskId,
      workHash: task.workHash as `0x${string}`,
      round,
      approved,
    },
  } as const
}

export type VerdictData = ReturnType<typeof verdictData>

type TypedData = Validation['typedData']['approve']

const same = (one: unknown, other: unknown) =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Whether the server's typed data equals the app's, so that both describe the same work. */
export function isSameVerdict(ours: VerdictData, theirs: TypedData): boolean {
  const members = Object.entries(ours.message)
  const domain = Object.entries(ours.domain)
  return (
    theirs.primaryType === ours.primaryType &&
    JSON.stringify(theirs.types.Verdict) === JSON.stringify(ours.types.Verdict) &&
    Object.keys(theirs.message).length === members.length &&
    members.every(([name, value]) => same(theirs.message[name], value)) &&
    Object.keys(theirs.domain).length === domain.length &&
    domain.every(([name, value]) => same(theirs.domain[name as keyof typeof theirs.domain], value))
  )
}
