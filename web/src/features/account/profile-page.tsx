import { useSession } from '@/api/session'
import { messages } from '@/messages/account'
import { common } from '@/messages/common'
import { Page } from '@/ui/page'
import { PersonLink } from '@/ui/person-link'
import { LinkAccount } from './link-account'
import { ProfileForm } from './profile-form'

/** The page on which the signed-in human edits the profile and links a social account. */
export function ProfilePage() {
  const human = useSession()
  if (!human) return null
  return (
    <Page
      title={messages.profile.title}
      intro={
        <>
          {messages.profile.intro}{' '}
          <PersonLink type="human" username={human.username}>
            {messages.profile.view}
          </PersonLink>
        </>
      }
    >
      <div className="grid max-w-2xl gap-6">
        <ProfileForm human={human} submit={common.save} />
        <LinkAccount human={human} />
      </div>
    </Page>
  )
}
