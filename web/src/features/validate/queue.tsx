import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { type Validation, validationsQuery } from '@/api/validation'
import { Loading } from '@/components/loading'
import { Together } from '@/components/together'
import { serverNow } from '@/lib/now'
import { messages } from '@/messages/validate'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'
import { SkeletonList } from '@/ui/skeleton'
import { entriesOf, firstToOpen } from './entries'
import { QueueEntry } from './queue-entry'

// The polling interval in ms. Polling is needed because other validators' verdicts cause no events.
const interval = 15_000

const skeleton = <SkeletonList items={3} className="h-24" />

/** The list of tasks that need verdicts, one of which is expanded. */
export function Queue({ wallet }: { wallet: string }) {
  const queue = useInfiniteQuery({
    ...validationsQuery,
    refetchInterval: ({ state }) => (state.error ? false : interval),
  })
  if (!queue.data) return <Loading query={queue} items={3} className="h-24" />
  return (
    <>
      {/* The expanded task would move those below it. */}
      <Together skeleton={skeleton}>
        <Entries queue={queue.data.items} wallet={wallet} />
      </Together>
      <LoadMore query={queue} />
    </>
  )
}

function Entries({ queue, wallet }: { queue: Validation[]; wallet: string }) {
  const [open, setOpen] = useState(() => firstToOpen(queue, serverNow()))
  const entries = entriesOf(queue, open)
  const waiting = queue.filter(({ mine }) => !mine).length
  if (entries.length === 0) {
    return (
      <EmptyState icon={Scale} title={messages.empty.title}>
        {messages.empty.text}
      </EmptyState>
    )
  }
  return (
    <>
      <p role="status" className="mb-4 text-ink-soft">
        {messages.pending(waiting)}
      </p>
      <ul className="grid gap-4">
        {entries.map(({ validation, isOver }) => {
          const isOpen = validation.taskId === open?.taskId
          return (
            <li key={validation.taskId}>
              <QueueEntry
                validation={validation}
                isOver={isOver}
                wallet={wallet}
                isOpen={isOpen}
                onToggle={() => setOpen(isOpen ? undefined : validation)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
