import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Inbox } from 'lucide-react'
import { newestCount, newestTasksQuery } from '@/api/board'
import { BoardCard } from '@/components/board-card'
import { Loading } from '@/components/loading'
import { common } from '@/messages/common'
import { messages } from '@/messages/landing'
import { EmptyState } from '@/ui/empty-state'

/** The newest open tasks. Shown without signing in. */
export function OpenTasks() {
  const board = useInfiniteQuery(newestTasksQuery)
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
        {!board.data && <Loading query={board} items={newestCount} className="h-24" />}
        <ul className="grid gap-4 empty:hidden md:grid-cols-2">
          {board.data?.items.map((task) => (
            <BoardCard
              key={task.id}
              task={task}
              amount={task.escrowAmount}
              amountIs={common.inEscrow}
            />
          ))}
        </ul>
        {board.data?.items.length === 0 && (
          <EmptyState icon={Inbox} title={messages.open.none}>
            {common.noTaskYet}
          </EmptyState>
        )}
      </div>
    </section>
  )
}
