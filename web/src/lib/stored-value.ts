import { useSyncExternalStore } from 'react'
import { createEvent } from './event'
import { onReturn } from './on-return'

/**
 * A value in the browser's storage that components can subscribe to in all tabs. If the storage is
 * inaccessible, the value is kept in memory until the page is closed.
 */
export interface StoredValue<T> {
  get(): T
  /**
   * Returns the value as it is currently stored. The event for another tab's change may not have
   * arrived yet.
   */
  latest(): T
  set(value: T): void
  /** Changes the currently stored value, which includes other tabs' changes. */
  update(change: (value: T) => T): void
  subscribe(listener: () => void): () => void
}

const prefix = 'taskmarket.'

/**
 * Creates a stored value. `read` parses the stored text, which is null if there is none. It must
 * accept any text.
 */
export function storedValue<T>(
  name: string,
  read: (stored: string | null) => T,
  write: (value: T) => string | null,
): StoredValue<T> {
  const key = prefix + name
  const changed = createEvent()
  let text = stored(key)
  let value = read(text)
  let isStored = true

  const update = (next: string | null) => {
    if (next === text) return
    text = next
    value = read(next)
    changed.emit()
  }
  const reload = () => {
    if (isStored) update(stored(key))
  }
  globalThis.window?.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) update(stored(key))
  })
  // A page in the back/forward cache receives no storage events.
  onReturn(reload)

  const set = (next: T) => {
    const nextText = write(next)
    isStored = store(key, nextText)
    update(nextText)
  }

  return {
    get: () => value,
    latest() {
      reload()
      return value
    },
    set,
    update(change) {
      reload()
      set(change(value))
    },
    subscribe: changed.subscribe,
  }
}

/** Parses a stored, untrusted JSON array. Anything else yields an empty list. */
export function parseList(stored: string | null, revive?: Revive): unknown[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]', revive)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

type Revive = (key: string, value: unknown) => unknown

/** Creates a stored list. Items that `isItem` rejects are ignored. */
export const storedList = <T>(
  name: string,
  isItem: (value: unknown) => value is T,
  { revive, replace }: { revive?: Revive; replace?: Revive } = {},
) =>
  storedValue<readonly T[]>(
    name,
    (stored) => parseList(stored, revive).filter(isItem),
    (list) => (list.length === 0 ? null : JSON.stringify(list, replace)),
  )

/** Deletes all values whose names have this prefix, and notifies this tab and the others. */
export function deleteStored(namePrefix: string) {
  for (const key of storedKeys()) if (key.startsWith(prefix + namePrefix)) store(key, null)
  // The browser sends storage events only to the other tabs, so this tab is notified here.
  globalThis.window?.dispatchEvent(new StorageEvent('storage', { key: null }))
}

/** Subscribes to a stored value. */
export function useStoredValue<T>(value: StoredValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.get)
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

/** Stores a text. Returns false if the storage is full or inaccessible. */
function store(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
