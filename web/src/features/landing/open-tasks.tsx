import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Inbox } from 'lucide-react'
import { glanced, glanceQuery } from '@/api/board'
import { useContracts } from '@/api/contracts'
import { BoardCard } from '@/components/board-card'
import { ErrorBanner } from '@/components/error-banner'
import { common } from '@/messages/common'
import { messages } from '@/messages/landing'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonList } from '@/ui/skeleton'

/** The newest open tasks. Public. */
export function OpenTasks() {
  const board = useInfiniteQuery(glanceQuery)
  const symbol = useContracts()?.token.symbol ?? ''
  const first = board.data?.pages[0]
  return (
    <section aria-labelledby="open-tasks" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6">
        <div className="mb-7 flex flex-wrap items-end justify-between gap-4">
          <div>
            <h2 id="open-tasks" className="text-2xl font-semibold sm:text-3xl">
              {messages.open.title}
            </h2>
            <p className="mt-1 text-ink-soft">{messages.open.text}</p>
          </div>
          <Link
            to="/tasks"
            className="inline-flex items-center gap-1.5 font-medium text-accent no-underline hover:underline underline-offset-4"
          >
            {messages.open.all}
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        </div>
        {board.isPending && <SkeletonList items={glanced} className="h-24" />}
        {board.isLoadingError && (
          <ErrorBanner error={board.error} retry={() => void board.refetch()} />
        )}
        {first && first.tasks.length > 0 && (
          <ul className="grid gap-4 md:grid-cols-2">
            {first.tasks.map((task) => (
              <BoardCard
                key={task.id}
                task={task}
                amount={task.escrowAmount}
                amountIs={common.inEscrow}
                symbol={symbol}
              />
            ))}
          </ul>
        )}
        {first?.tasks.length === 0 && (
          <EmptyState icon={Inbox} title={messages.open.none}>
            {common.noTaskYet}
          </EmptyState>
        )}
      </div>
    </section>
  )
}
