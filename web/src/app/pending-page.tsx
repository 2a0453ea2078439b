import { messages } from '@/messages/app'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'

/** Shown while a page loads. */
export function PendingPage() {
  return (
    <Page title={messages.loading}>
      <SkeletonList items={2} className="h-40" />
    </Page>
  )
}
