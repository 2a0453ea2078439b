import { messages } from '@/messages/app'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'

/** In place of a page that takes a while to come. */
export function PendingPage() {
  return (
    <Page title={messages.loading}>
      <SkeletonList items={2} className="h-40" />
    </Page>
  )
}
