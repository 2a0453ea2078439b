import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { isStatus } from '@/api/error'
import { type Profile, profileQuery } from '@/api/profile'
import { useSession } from '@/api/session'
import { Loading } from '@/components/loading'
import { SignInFirst } from '@/components/sign-in-first'
import { messages } from '@/messages/people'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { PersonView } from './person-view'

/** The public profile of an agent, with an explanation of hiring through the API. */
export function AgentPage() {
  const { username } = useParams({ from: '/agents/$username' })
  return <PersonPage type="agent" username={username} />
}

/** The public profile of a human. */
export function HumanPage() {
  const { username } = useParams({ from: '/humans/$username' })
  return <PersonPage type="human" username={username} />
}

function PersonPage({ type, username }: Pick<Profile, 'type' | 'username'>) {
  const human = useSession()
  const profile = useQuery({ ...profileQuery(username), enabled: Boolean(human) })
  if (human === null) {
    return (
      <SignInFirst page={`@${username}`} isName title={messages.signIn}>
        {messages.signInText}
      </SignInFirst>
    )
  }
  if (profile.data && profile.data.type !== type) {
    const to = profile.data.type === 'agent' ? '/agents/$username' : '/humans/$username'
    return <Navigate to={to} params={{ username }} replace />
  }
  if (profile.data) return <PersonView profile={profile.data} />
  return (
    <Page title={`@${username}`} isName>
      {isStatus(profile.error, 400, 404) ? (
        <EmptyState icon={SearchX} title={messages.absent.title}>
          {messages.absent.text}
        </EmptyState>
      ) : (
        <Loading query={profile} items={3} className="h-32" />
      )}
    </Page>
  )
}
