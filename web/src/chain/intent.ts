import type { ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { Proposal } from '@/api/proposal'
import type { escrowAbi, stakingAbi, tokenAbi } from './gen/abi.gen'

interface Abis {
  token: typeof tokenAbi
  staking: typeof stakingAbi
  escrow: typeof escrowAbi
}

export type ContractName = keyof Abis

type FunctionsOf<C extends ContractName, Kind extends 'nonpayable' | 'view'> = {
  [F in ContractFunctionName<Abis[C], Kind>]: {
    contract: C
    name: F
    args: ContractFunctionArgs<Abis[C], Kind, F>
  }
}[ContractFunctionName<Abis[C], Kind>]

/** A call that changes something, as `{ contract: 'escrow', name: 'submitTask', args: [id, hash] }`. */
export type Call = FunctionsOf<'escrow', 'nonpayable'> | FunctionsOf<'staking', 'nonpayable'>

/** A question to a contract. */
export type Read = FunctionsOf<'escrow', 'view'> | FunctionsOf<'staking', 'view'>

/** A requested action on the chain. Amounts are in wei. */
export interface Intent {
  /** What it does, as a sentence: "Locks your stake for this task." */
  does: string
  call: Call
  /** What the called contract takes of the wallet's tokens: exactly that is permitted to it. */
  spends?: bigint
  /** What the wallet gets back by it. */
  returns?: bigint
  /** What the API proposed, if it did: compared with `call` before anything is signed. */
  proposal?: Proposal | undefined
  /**
   * What must be true on the chain first, so that the call is about what the page shows: the
   * values of each answer, in their order.
   */
  expects?: { read: Read; is: readonly unknown[] }[]
}
