import { useQuery } from '@tanstack/react-query'
import { type TaskFile, taskFilesQuery } from '@/api/file'
import { FileItem } from '@/components/file-item'
import { visible } from '@/lib/user-text'
import { messages } from '@/messages/submit'

/** Returns the files that the human has added to a task, oldest first. */
export function useOwnFiles(taskId: string): TaskFile[] {
  const files = useQuery(taskFilesQuery(taskId)).data ?? []
  return files
    .filter(({ uploadedBy }) => uploadedBy === 'human')
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

interface Props {
  taskId: string
  files: TaskFile[]
  /** The ids of the files that are excluded from the work. */
  leftOut: string[]
  onChange: (leftOut: string[]) => void
}

/** The uploaded files, each with a checkbox to include it. */
export function OwnFiles({ taskId, files, leftOut, onChange }: Props) {
  if (files.length === 0) return null
  const toggle = (id: string) =>
    onChange(leftOut.includes(id) ? leftOut.filter((each) => each !== id) : [...leftOut, id])
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-[0.9375rem] text-ink-soft">{messages.files.legend}</legend>
      <ul className="grid gap-2">
        {files.map((file) => (
          <FileItem
            key={file.id}
            taskId={taskId}
            file={file}
            before={
              <input
                type="checkbox"
                aria-label={messages.files.include(visible(file.filename))}
                checked={!leftOut.includes(file.id)}
                onChange={() => toggle(file.id)}
                className="size-[1.125rem] shrink-0 cursor-pointer accent-accent"
              />
            }
          />
        ))}
      </ul>
    </fieldset>
  )
}
