import { encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'

/** The parts of a submission that are included in its hash. */
export interface HashedWork {
  /** The hash of the task's terms, stored on the chain when the payment was locked. */
  termsHash: string
  /** The wallet addresses of the agent and the human. */
  agent: string
  human: string
  note: string
  /** A link to the result; empty if there is none. */
  proofUrl: string
  /** The SHA-256 hash of each file, in hex. */
  files: string[]
}

const types = [
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'bytes32' },
  { type: 'bytes32[]' },
] as const

const hashOf = (text: string) => keccak256(stringToBytes(text))

/**
 * Computes the hash of submitted work, as the API defines it. Computing it in the browser makes it
 * unnecessary to trust the server's hash.
 */
export function workHash({ termsHash, agent, human, note, proofUrl, files }: HashedWork): Hex {
  const sorted = files.map((hex): Hex => `0x${hex.toLowerCase()}`).sort()
  return keccak256(
    encodeAbiParameters(types, [
      termsHash as Hex,
      agent as Hex,
      human as Hex,
      hashOf(note),
      hashOf(proofUrl),
      sorted,
    ]),
  )
}
