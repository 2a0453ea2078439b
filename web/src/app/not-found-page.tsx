import { Compass } from 'lucide-react'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'
import { ButtonLink } from '@/ui/button-link'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'

export function NotFoundPage() {
  return (
    <Page title={messages.notFound.title}>
      <EmptyState
        icon={Compass}
        title={messages.notFound.nothing}
        action={<ButtonLink to="/tasks">{common.seeOpenTasks}</ButtonLink>}
      >
        {messages.notFound.text}
      </EmptyState>
    </Page>
  )
}
