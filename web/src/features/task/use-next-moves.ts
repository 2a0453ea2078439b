import { useQuery } from '@tanstack/react-query'
import { ownApplicationsQuery } from '@/api/application'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { type Moves, nextMoves } from '@/lib/next-moves'

const none: Moves = { beside: [] }

/** What the reader can do with a task now; nothing while it is not known. */
export function useNextMoves(task: Task): Moves {
  const next = useQuery(taskNextQuery(task.id)).data
  const own = useQuery({ ...ownApplicationsQuery(task.id), enabled: task.hasApplied }).data
  if (!next) return none
  return nextMoves({
    role: next.role,
    status: task.status,
    actions: next.actions,
    application: task.hasApplied ? own?.[0]?.status : undefined,
  })
}
