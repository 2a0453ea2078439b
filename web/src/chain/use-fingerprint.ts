import { useQuery } from '@tanstack/react-query'
import { taskFilesQuery } from '@/api/file'
import { loadNow } from '@/api/load'
import type { Task } from '@/api/task'

/**
 * The result of the comparison. `none`: there is nothing to compare; `unknown`: not compared yet.
 */
export type Compared = 'same' | 'other' | 'none' | 'unknown'

/** Compares a task's terms, work and files with the fingerprint on the chain. */
export function useFingerprint(task: Task): Compared {
  const files = useQuery(taskFilesQuery(task.id)).data
  const compared = useQuery({
    queryKey: ['task', task.id, 'fingerprint', task.workHash, files?.map(({ id }) => id)],
    enabled: files !== undefined,
    queryFn: async (): Promise<Compared> => {
      const { isWhatIsShown } = await loadNow(() => import('./fingerprint'))
      const matches = isWhatIsShown(task, files ?? [])
      if (matches === undefined) return 'none'
      return matches ? 'same' : 'other'
    },
  })
  return compared.data ?? 'unknown'
}
