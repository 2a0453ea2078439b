import { useQuery } from '@tanstack/react-query'
import { type TaskFile, taskFilesQuery } from '@/api/file'

/** The files that the human has added to a task, the first added first. */
export function useOwnFiles(taskId: string): TaskFile[] {
  const files = useQuery(taskFilesQuery(taskId)).data ?? []
  return files
    .filter(({ uploadedBy }) => uploadedBy === 'human')
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}
