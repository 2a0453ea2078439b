import { lazy, Suspense } from 'react'
import { loadWhenServed } from '@/api/load'
import { useSession } from '@/api/session'
import { messages } from '@/messages/board'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { PublicBoard } from './public-board'

// Fields and lists to choose from weigh more than the rest of the page, and a visitor has none.
const SearchableBoard = lazy(async () => ({
  default: (await loadWhenServed(() => import('./searchable-board'))).SearchableBoard,
}))

/** The filters weigh more than the rest of the page, and visitors have none. */
export function TasksPage() {
  const human = useSession()
  return (
    <Page title={messages.title} intro={messages.intro}>
      {human === undefined && tasksToCome}
      {human === null && <PublicBoard />}
      {human && (
        <Suspense fallback={tasksToCome}>
          <SearchableBoard />
        </Suspense>
      )}
    </Page>
  )
}

const tasksToCome = <SkeletonList items={5} className="h-28" />
