import { useSyncExternalStore } from 'react'

let asked = false
const listeners = new Set<() => void>()

/** Opens or closes the dialog to sign in, from any page. */
export function askToSignIn(open = true) {
  asked = open
  for (const listener of listeners) listener()
}

/** Whether the sign-in dialog is requested. */
export function useSignInRequest(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
}
