import { useQuery } from '@tanstack/react-query'
import { myTaskApplicationsQuery } from '@/api/application'
import { type Offers, offersFor } from '@/api/offers'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { useNow } from '@/lib/now'

const none: Offers = { beside: [] }

/** Returns the signed-in user's possible actions; none until they have loaded. */
export function useOffers(task: Task): Offers {
  const next = useQuery(taskNextQuery(task.id)).data
  const applications = useQuery({
    ...myTaskApplicationsQuery(task.id),
    enabled: task.hasApplied,
  }).data
  const now = useNow()
  if (!next) return none
  return offersFor({
    role: next.role,
    status: task.status,
    actions: next.actions,
    now,
    application: task.hasApplied ? applications?.[0]?.status : undefined,
  })
}
