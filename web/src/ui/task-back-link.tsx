import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { UserLine } from './user-text'

/** Links back to the task from a page about one of its steps. */
export function TaskBackLink({ task }: { task: { id: string; title: string } }) {
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: task.id }}
      className="inline-flex items-center gap-2 text-ink-soft no-underline hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" />
      <UserLine>{task.title}</UserLine>
    </Link>
  )
}
