import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'

export function NotFoundPage() {
  return (
    <Page title={messages.notFound.title}>
      <EmptyState
        icon={Compass}
        title={messages.notFound.nothing}
        action={
          <Link to="/tasks" className={buttonClass()}>
            {common.seeOpenTasks}
          </Link>
        }
      >
        {messages.notFound.text}
      </EmptyState>
    </Page>
  )
}
