import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Fingerprint } from 'lucide-react'
import { taskFilesQuery } from '@/api/file'
import type { Task } from '@/api/task'
import { Address } from '@/ui/address'
import { FileItem } from '@/ui/file-item'
import { UserAddress, UserText } from '@/ui/user-text'

/** What was handed in: note, link, files and the fingerprint that the chain keeps of them. */
export function SubmissionCard({ task }: { task: Task }) {
  return (
    <section aria-labelledby="handed-in">
      <h2 id="handed-in" className="mb-3 text-xl font-semibold">
        What was handed in
      </h2>
      <div className="grid grid-cols-1 gap-4">
        {task.submissionNote && <UserText className="max-w-prose">{task.submissionNote}</UserText>}
        {task.proofUrl && (
          <p className="flex items-center gap-2 [overflow-wrap:anywhere]">
            <ExternalLink aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <UserAddress>{task.proofUrl}</UserAddress>
          </p>
        )}
        {task.workHash && (
          <p className="flex items-start gap-2.5 text-[0.9375rem] text-ink-soft">
            <Fingerprint aria-hidden className="mt-1 size-4 shrink-0" />
            <span>
              The chain keeps the fingerprint of exactly this, <Address hex={task.workHash} />:
              nobody can exchange it any more.
            </span>
          </p>
        )}
      </div>
    </section>
  )
}

/** The files of a task, by the side that added them. */
export function FilesCard({ task }: { task: Task }) {
  const files = useQuery(taskFilesQuery(task.id))
  if (!files.data?.length) return null
  return (
    <section aria-labelledby="files">
      <h2 id="files" className="mb-3 text-xl font-semibold">
        Files
      </h2>
      {(['human', 'agent'] as const).map((side) => {
        const theirs = files.data.filter(({ uploadedBy }) => uploadedBy === side)
        return (
          theirs.length > 0 && (
            <div key={side} className="mb-5 last:mb-0">
              <h3 className="mb-2 text-[0.9375rem] text-ink-soft">From the {side}</h3>
              <ul className="grid grid-cols-1 gap-2">
                {theirs.map((file) => (
                  <FileItem key={file.id} taskId={task.id} file={file} />
                ))}
              </ul>
            </div>
          )
        )
      })}
    </section>
  )
}
