/** A call as the API answers it. It is never signed: it must be the call that we make ourselves. */
export interface Proposal {
  to: string
  chainId: number
  /** The coin to send along, in wei; no call of this app sends any. */
  value: string
  data: string
}
