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

/**
 * A call that changes state, such as `{ contract: 'escrow', name: 'submitTask', args: [id, hash]
 * }`.
 */
export type Call = FunctionsOf<'escrow', 'nonpayable'> | FunctionsOf<'staking', 'nonpayable'>

/** A call that reads from a contract. */
export type Read = FunctionsOf<'escrow', 'view'> | FunctionsOf<'staking', 'view'>

/** A requested action on the chain. Amounts are in wei. */
export interface Intent {
  /** The effect of the action as a sentence, such as "Locks your stake for this task." */
  does: string
  call: Call
  /**
   * The amount that the called contract takes from the wallet. The permission covers exactly this
   * amount.
   */
  spends?: bigint
  /** The amount that the wallet gets back. */
  returns?: bigint
  /**
   * The API's proposed call, if there is one. It is compared with `call` before anything is signed.
   */
  proposal?: Proposal | undefined
  /**
   * Reads that must return these values before anything is signed, so that the call matches the
   * displayed data. `is` contains the fields of each result, in order.
   */
  expects?: { read: Read; is: readonly unknown[] }[]
}
