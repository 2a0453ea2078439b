import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type Health, healthQuery } from '@/api/health'
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

interface Words {
  title: string
  text: ReactNode
}

const rescue = messages.outage.withoutUs(
  <a href="/rescue" className="underline underline-offset-4">
    {messages.outage.rescuePage}
  </a>,
)

const troubles: Record<Exclude<Health, 'well'>, Words> = {
  'chain away': {
    title: messages.outage.chain.title,
    text: messages.outage.chain.text(rescue),
  },
  'chain behind': {
    title: messages.outage.behind.title,
    text: messages.outage.behind.text,
  },
  away: {
    title: messages.outage.service.title,
    text: messages.outage.service.text(rescue),
  },
}

/** Says what does not work at present, and what does: what is shown may be old. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { data: health } = useQuery(healthQuery)
  if (!online) {
    return <Trouble title={messages.outage.offline.title}>{messages.outage.offline.text}</Trouble>
  }
  if (!health || health === 'well') return null
  return <Trouble title={troubles[health].title}>{troubles[health].text}</Trouble>
}

function Trouble({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
      <Banner tone="wait" title={title}>
        {children}
      </Banner>
    </div>
  )
}
