import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { limits } from '@/lib/facts.gen'
import { fileSize, sha256 } from '@/lib/file'
import { messages } from '@/messages/api'
import { errorText } from './error'
import { type TaskFile, taskFilesQuery, uploadFile } from './file'

/** A file that is being uploaded. */
export interface Upload {
  key: number
  filename: string
  size: number
  /** The fraction that has been uploaded, from 0 to 1. */
  share: number
  /** The reason why the upload failed and the suggested next step, in sentences. */
  fault?: string
}

/**
 * Uploads files to a task, one after another, and compares the server's hash of each with the one
 * computed in the browser. Uploaded files then appear in the task's file list.
 */
export function useUploads(taskId: string) {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const last = useRef(0)
  const queue = useRef(Promise.resolve())

  const change = useCallback((key: number, next: Partial<Upload> | undefined) => {
    setUploads((all) =>
      all.flatMap((each) => (each.key !== key ? [each] : next ? [{ ...each, ...next }] : [])),
    )
  }, [])

  const add = (files: Iterable<File>) => {
    for (const file of files) {
      last.current += 1
      const key = last.current
      setUploads((all) => [...all, { key, filename: file.name, size: file.size, share: 0 }])
      queue.current = queue.current.then(async () => {
        try {
          await store(taskId, file, (share) => change(key, { share }))
          await queries.invalidateQueries({ queryKey: taskFilesQuery(taskId).queryKey })
          change(key, undefined)
        } catch (error) {
          change(key, { fault: errorText(error) })
        }
      })
    }
  }
  return { uploads, add, dismiss: (key: number) => change(key, undefined) }
}

async function store(
  taskId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<TaskFile> {
  if (file.size === 0) throw new Error(messages.empty)
  if (file.size > limits.maxFileSize) {
    throw new Error(messages.tooLarge(fileSize(limits.maxFileSize)))
  }
  const hash = await sha256(file)
  const stored = await uploadFile(taskId, file, onProgress)
  if (stored.sha256 !== hash) {
    throw new Error(messages.storedOther)
  }
  return stored
}
