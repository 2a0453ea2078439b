import { encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'

/** The task terms that are included in the hash. The amount is in wei. */
export interface HashedTerms {
  taskId: string
  agent: string
  amount: bigint
  feeBasisPoints: number
  deadline?: Date | undefined
  title: string
  description: string
}

const types = [
  { type: 'bytes16' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'uint16' },
  { type: 'uint64' },
  { type: 'bytes32' },
  { type: 'bytes32' },
] as const

const hashOf = (text: string) => keccak256(stringToBytes(text))

/** Computes the hash of a task's terms, as the API defines it. */
export function termsHash(terms: HashedTerms): Hex {
  const seconds = Math.floor((terms.deadline?.getTime() ?? 0) / 1_000)
  return keccak256(
    encodeAbiParameters(types, [
      `0x${terms.taskId.replaceAll('-', '')}`,
      terms.agent as Hex,
      terms.amount,
      terms.feeBasisPoints,
      BigInt(Math.max(0, seconds)),
      hashOf(terms.title),
      hashOf(terms.description),
    ]),
  )
}
