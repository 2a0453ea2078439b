import { useSyncExternalStore } from 'react'
import { onReturn } from './on-return'

/**
 * A value in the browser's storage that components can follow, in all tabs. Where storage is
 * closed to us the value lives as long as the page.
 */
export interface StoredValue<T> {
  get(): T
  /** The value as it is stored now: the event about another tab's change may still be on its way. */
  latest(): T
  set(value: T): void
  /** Sets what is made of the value as it is now, although another tab has just changed it. */
  update(change: (value: T) => T): void
  subscribe(listener: () => void): () => void
}

const prefix = 'taskmarket.'

/** `read` makes a value of what is stored, null for nothing; it must take any text. */
export function storedValue<T>(
  name: string,
  read: (stored: string | null) => T,
  write: (value: T) => string | null,
): StoredValue<T> {
  const key = prefix + name
  const listeners = new Set<() => void>()
  let text = stored(key)
  let value = read(text)
  let isStored = true

  const follow = (next: string | null) => {
    if (next === text) return
    text = next
    value = read(next)
    for (const listener of listeners) listener()
  }
  const readAgain = () => {
    if (isStored) follow(stored(key))
  }
  globalThis.window?.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) follow(stored(key))
  })
  // A frozen page gets no events.
  onReturn(readAgain)

  const set = (next: T) => {
    const nextText = write(next)
    isStored = store(key, nextText)
    follow(nextText)
  }

  return {
    get: () => value,
    latest() {
      readAgain()
      return value
    },
    set,
    update(change) {
      readAgain()
      set(change(value))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Forgets all values whose names begin like this, in this tab and in the others. */
export function forgetAll(beginning: string) {
  for (const key of storedKeys()) if (key.startsWith(prefix + beginning)) store(key, null)
  // The browser notifies only the other tabs.
  globalThis.window?.dispatchEvent(new StorageEvent('storage', { key: null }))
}

/** Follows a remembered value. */
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

/** False where storage is full or closed: the value still holds for this page. */
function store(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
