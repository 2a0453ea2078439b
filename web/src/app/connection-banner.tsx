import { useSyncExternalStore } from 'react'
import { Banner } from '@/ui/banner'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says when the browser has no connection: what is shown may be old. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Banner tone="wait" title="You are offline">
        What you see may be old. Your money is in the contracts and stays where it is.
      </Banner>
    </div>
  )
}
