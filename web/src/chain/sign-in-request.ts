import { useSyncExternalStore } from 'react'
import { createEvent } from '@/lib/event'

let isRequested = false
const changed = createEvent()

/** Opens or closes the sign-in dialog. Can be called from any page. */
export function requestSignIn(open = true) {
  isRequested = open
  changed.emit()
}

/** Whether the sign-in dialog is open. */
export const useSignInRequest = (): boolean =>
  useSyncExternalStore(changed.subscribe, () => isRequested)
