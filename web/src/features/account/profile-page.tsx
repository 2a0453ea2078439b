import { useSession } from '@/api/session'
import { Page } from '@/ui/page'
import { PersonLink } from '@/ui/person-link'
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
      <div className="max-w-2xl">
        <ProfileForm human={human} submit="Save" />
      </div>
    </Page>
  )
}
