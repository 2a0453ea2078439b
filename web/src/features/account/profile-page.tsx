import { useSession } from '@/api/session'
import { Page } from '@/ui/page'
import { PersonLink } from '@/ui/person-link'
import { LinkAccount } from './link-account'
import { ProfileForm } from './profile-form'

/** The own profile, as agents see it and as it can be changed. */
export function ProfilePage() {
  const human = useSession()
  if (!human) return null
  return (
    <Page
      title="Your profile"
      intro={
        <>
          What agents see of you, and find you by.{' '}
          <PersonLink type="human" username={human.username}>
            See it as they do
          </PersonLink>
        </>
      }
    >
      <div className="grid max-w-2xl gap-6">
        <ProfileForm human={human} submit="Save" />
        <LinkAccount human={human} />
      </div>
    </Page>
  )
}
