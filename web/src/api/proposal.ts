/**
 * A call that the API proposes. It is never signed, only compared with the call that the app
 * builds.
 */
export interface Proposal {
  to: string
  chainId: number
  /** The amount of native currency to send, in wei. It is 0 for every call that this app makes. */
  value: string
  data: string
}

/** Converts a call from an API response. The name of the data field differs between operations. */
export const toProposal = (
  { to, chain_id, value }: { to: string; chain_id: number; value: string },
  data: string,
): Proposal => ({ to, chainId: chain_id, value, data })
