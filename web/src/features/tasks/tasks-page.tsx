import { lazy, Suspense } from 'react'
import { loadWhenServed } from '@/api/load'
import { useSession } from '@/api/session'
import { messages } from '@/messages/board'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { PublicBoard } from './public-board'

// Loaded separately, because the filters are large and visitors do not use them.
const SearchableBoard = lazy(async () => ({
  default: (await loadWhenServed(() => import('./searchable-board'))).SearchableBoard,
}))

/** The page of open tasks, with a search for signed-in humans and without one for visitors. */
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
