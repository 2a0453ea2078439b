/** A time of the API. */
export const toDate = (text: string): Date => new Date(text)

/** A time that may be absent. */
export const toDateIf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

/** A number that may be absent. */
export const toBigIntIf = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text)
