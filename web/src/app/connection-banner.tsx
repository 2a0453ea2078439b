import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type Health, healthQuery } from '@/api/health'
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

const ownWay = (
  <>
    With a wallet and a node you can do without us:{' '}
    <a href="/rescue" className="underline underline-offset-4">
      the rescue page
    </a>
    .
  </>
)

const troubles: Record<Exclude<Health, 'well'>, Words> = {
  'chain away': {
    title: 'We do not reach the chain at the moment',
    text: (
      <>
        Reading, searching, writing messages and uploading files work. Balances and the state of
        tasks may be old, and deadlines run on. {ownWay}
      </>
    ),
  },
  'chain behind': {
    title: 'We are behind the chain',
    text: (
      <>
        What happened last is not shown yet; nothing of it is lost. Reading, searching, writing
        messages and uploading files work.
      </>
    ),
  },
  away: {
    title: 'Our service is away at the moment',
    text: (
      <>What you see may be old. Your money is in the contracts and stays where it is. {ownWay}</>
    ),
  },
}

/** Says what does not work at present, and what does: what is shown may be old. */
export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { data: health } = useQuery(healthQuery)
  if (!online) {
    return (
      <Trouble title="You are offline">
        What you see may be old. Your money is in the contracts and stays where it is.
      </Trouble>
    )
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
