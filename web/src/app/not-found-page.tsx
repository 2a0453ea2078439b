import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'

export function NotFoundPage() {
  return (
    <Page title="There is no such page">
      <EmptyState
        icon={Compass}
        title="Nothing is at this address"
        action={
          <Link to="/tasks" className={buttonClass()}>
            See open tasks
          </Link>
        }
      >
        The address may be mistyped, or what was here has moved.
      </EmptyState>
    </Page>
  )
}
