/** A call that the API proposes. It is never signed: it must equal the call that the app builds. */
export interface Proposal {
  to: string
  chainId: number
  /** The native coin to send, in wei. No call of this app sends any. */
  value: string
  data: string
}

/** Converts a returned call. Its data has a different name in each operation. */
export const toProposal = (
  { to, chain_id, value }: { to: string; chain_id: number; value: string },
  data: string,
): Proposal => ({ to, chainId: chain_id, value, data })
