/**
 * The entry of a value that the API sent, or undefined if this app does not know the value: a later version of
 * the API can send more values than this one.
 */
export function entryOf<T>(entries: Readonly<Record<string, T>>, value: string): T | undefined {
  return Object.hasOwn(entries, value) ? entries[value] : undefined
}

/** The text of a value, or the value itself in words if this app does not know it. */
export function wordOf(words: Readonly<Record<string, string>>, value: string): string {
  return entryOf(words, value) ?? plain(value)
}

/** Writes a value in words: `on_hold` becomes `On hold`. */
export function plain(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ')
}
