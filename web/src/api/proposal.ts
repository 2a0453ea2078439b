/**
 * A call that the API proposes. It is never signed, only compared with the call that the app
 * builds.
 */
export interface Proposal {
  to: string
  chainId: number
  /** The native currency to send, in wei. It is 0 for every call of this app. */
  value: string
  data: string
}

/** Converts a returned call. Its data has a different name in each operation. */
export const toProposal = (
  { to, chain_id, value }: { to: string; chain_id: number; value: string },
  data: string,
): Proposal => ({ to, chainId: chain_id, value, data })
