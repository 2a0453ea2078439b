import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { errorText } from '@/api/error'
import { type SignedIn, sessionsQuery, useEndSession, useSignOutEverywhere } from '@/api/sessions'
import { ErrorBanner } from '@/components/error-banner'
import { Loading } from '@/components/loading'
import { durations, limits } from '@/lib/facts.gen'
import { entryOf } from '@/lib/known'
import { messages } from '@/messages/account'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { toast } from '@/ui/toast'

const words = messages.sessions

/** The browsers in which the human is signed in, with buttons that end these sessions. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  return (
    <Card heading={words.title} headingClass="text-xl font-semibold" className="p-6 sm:p-8">
      <p className="mt-2 text-ink-soft">
        {words.text(
          durations.sessionIdle / 3600,
          durations.sessionLifetime / 3600,
          limits.maxSessions,
        )}
      </p>
      {sessions.data ? (
        <ul className="mt-5 divide-y divide-line border-y border-line">
          {sessions.data.map((session) => (
            <Entry key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <div className="mt-5">
          <Loading query={sessions} items={2} className="h-20" />
        </div>
      )}
      <Everywhere />
    </Card>
  )
}

function Entry({ session }: { session: SignedIn }) {
  const ending = useEndSession(() => toast(words.signedOut))
  const device = words.device(
    entryOf(words.browsers, session.browser) ?? words.browsers.other,
    entryOf(words.systems, session.system) ?? words.systems.other,
  )
  const end = () =>
    ending.mutate(session.id, { onError: (error) => toast(errorText(error), 'bad') })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {device}
          {session.isCurrent && (
            <Badge tone="good" icon={Check}>
              {words.current}
            </Badge>
          )}
        </p>
        <p className="text-sm text-ink-soft">
          {words.used} <Time at={session.usedAt} happened /> · {words.signedIn}{' '}
          <Time at={session.signedInAt} happened />
        </p>
        {session.network && (
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
            {words.network} <span translate="no">{session.network}</span>
          </p>
        )}
      </div>
      {!session.isCurrent && (
        <Button
          variant="secondary"
          size="small"
          busy={ending.isPending}
          aria-label={words.signOutOf(device)}
          onClick={end}
        >
          {words.signOut}
        </Button>
      )}
    </li>
  )
}

function Everywhere() {
  const navigate = useNavigate()
  const leaving = useSignOutEverywhere(() => {
    toast(words.signedOutEverywhere)
    void navigate({ to: '/' })
  })
  return (
    <div className="mt-5 grid gap-3">
      <p className="text-ink-soft">{words.everywhereText}</p>
      {leaving.isError && <ErrorBanner error={leaving.error} />}
      <Button
        variant="secondary"
        busy={leaving.isPending}
        onClick={() => leaving.mutate()}
        className="justify-self-start"
      >
        {words.everywhere}
      </Button>
    </div>
  )
}
