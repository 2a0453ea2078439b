import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { healthQuery } from '@/api/health'
import { messages } from '@/messages/app'
import { Banner } from '@/ui/banner'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

const rescue = messages.outage.withoutUs(
  <a href="/rescue" className="underline underline-offset-4">
    {messages.outage.rescuePage}
  </a>,
)

const outages = {
  offline: messages.outage.offline,
  'chain unreachable': messages.outage.chain(rescue),
  'chain behind': messages.outage.behind,
  limited: messages.outage.limited,
  unreachable: messages.outage.service(rescue),
}

/** Reports an outage, with the features that are unavailable and those that still work. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const health = useQuery(healthQuery).data ?? 'ok'
  const outage = online ? health : 'offline'
  if (outage === 'ok') return null
  const { title, text } = outages[outage]
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Banner tone="wait" title={title}>
        {text}
      </Banner>
    </div>
  )
}
