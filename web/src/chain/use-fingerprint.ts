import { useQuery } from '@tanstack/react-query'
import { taskFilesQuery } from '@/api/file'
import { loadNow } from '@/api/load'
import type { Task } from '@/api/task'

/** `none`: there is nothing to compare; `unknown`: not compared yet. */
export type Compared = 'same' | 'other' | 'none' | 'unknown'

/** Whether a task's terms, work and files are what the chain has the fingerprint of. */
export function useFingerprint(task: Task): Compared {
  const files = useQuery(taskFilesQuery(task.id)).data
  const compared = useQuery({
    queryKey: ['task', task.id, 'fingerprint', task.workHash, files?.map(({ id }) => id)],
    enabled: files !== undefined,
    queryFn: async (): Promise<Compared> => {
      const { isWhatIsShown } = await loadNow(() => import('./fingerprint'))
      const isIt = isWhatIsShown(task, files ?? [])
      if (isIt === undefined) return 'none'
      return isIt ? 'same' : 'other'
    },
  })
  return compared.data ?? 'unknown'
}
