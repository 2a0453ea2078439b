import { useSession } from '@/api/session'
import { messages } from '@/messages/account'
import { Page } from '@/ui/page'
import { AccountData } from './account-data'
import { AccountErasure } from './account-erasure'
import { Sessions } from './sessions'

/** The settings of the signed-in human's account. */
export function SettingsPage() {
  const human = useSession()
  if (!human) return null
  return (
    <Page title={messages.settings.title} intro={messages.settings.intro}>
      <div className="grid max-w-2xl gap-6">
        <Sessions />
        <AccountData />
        <AccountErasure human={human} />
      </div>
    </Page>
  )
}
