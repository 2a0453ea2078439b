type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

/** A record of the API with camelCase names, with dates as `Date` and amounts as `bigint`. */
type Converted<W, Dates, Amounts> = {
  [K in keyof W as Camel<K> & string]:
    | (K extends Dates ? Date : K extends Amounts ? bigint : W[K])
    | (object extends Pick<W, K> ? undefined : never)
}

/** Parses a timestamp from the API. */
export const toDate = (text: string): Date => new Date(text)

const toCamel = (name: string) =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Returns a function that converts API records: `created_at: '2030-…'` becomes `createdAt: Date`.
 * Fields in `dates` become dates and those in `amounts` bigints. Nested values are not converted.
 */
export const converter =
  <W extends object>() =>
  <D extends keyof W = never, A extends keyof W = never>(
    dates: readonly D[] = [],
    amounts: readonly A[] = [],
  ) => {
    const convert = (name: string, value: string) => {
      if (dates.some((each) => each === name)) return toDate(value)
      return amounts.some((each) => each === name) ? BigInt(value) : value
    }
    return (wire: W) =>
      Object.fromEntries(
        Object.entries(wire).map(([name, value]) => [
          toCamel(name),
          value === undefined ? undefined : convert(name, value),
        ]),
      ) as Converted<W, D, A>
  }
