import { messages } from '@/messages/account'
import { Page } from '@/ui/page'
import { Sessions } from './sessions'

/** The settings of the signed-in human's account. */
export function SettingsPage() {
  return (
    <Page title={messages.settings.title} intro={messages.settings.intro}>
      <div className="grid max-w-2xl gap-6">
        <Sessions />
      </div>
    </Page>
  )
}
