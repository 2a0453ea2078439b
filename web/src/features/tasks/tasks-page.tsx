import { useSession } from '@/api/session'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { PublicBoard } from './public-board'
import { SearchableBoard } from './searchable-board'

/** The open tasks: for everybody to see, for whoever is signed in to search. */
export function TasksPage() {
  const human = useSession()
  return (
    <Page
      title="Open tasks"
      intro="The payment of each is in escrow. You are paid when your work is accepted, or when time runs out on the other side."
    >
      {human === undefined && <SkeletonList items={5} className="h-28" />}
      {human === null && <PublicBoard />}
      {human && <SearchableBoard />}
    </Page>
  )
}
