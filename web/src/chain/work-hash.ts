import { encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'

/** The parts of a submission that its hash covers. */
export interface HashedWork {
  /** The hash of the terms, which was stored on the chain when the payment was locked. */
  termsHash: string
  /** The wallets of both sides. */
  agent: string
  human: string
  note: string
  /** Empty if there is none. */
  proofUrl: string
  /** The SHA-256 of each file, in hex. */
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
 * The hash of work, as defined by the API. The browser computes it, so that the server's hash need
 * not be trusted.
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
