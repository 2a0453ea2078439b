import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, ExternalLink, Fingerprint } from 'lucide-react'
import { createElement } from 'react'
import { type TaskFile, taskFilesQuery } from '@/api/file'
import type { Task } from '@/api/task'
import { useFingerprint } from '@/chain/use-fingerprint'
import { common } from '@/messages/common'
import { Address } from '@/ui/address'
import { Section } from '@/ui/section'
import { UserAddress, UserText } from '@/ui/user-text'
import { FileItem } from './file-item'

interface Props {
  task: Task
  /** The level of the heading. */
  level?: 2 | 3
  /** Whether the signed-in user is the task's human. */
  mine?: boolean
}

/** The submitted work: its note, its link, and the fingerprint stored on the blockchain. */
export function SubmissionCard({ task, level = 2 }: Props) {
  return (
    <Section heading={common.submission.title} level={level}>
      <div className="grid gap-4">
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
            <span>{common.submission.fingerprint(<Address hex={task.workHash} />)}</span>
          </p>
        )}
      </div>
    </Section>
  )
}

/** Shows whether the displayed work matches the fingerprint on the blockchain. */
export function FingerprintCheck({ task }: { task: Task }) {
  const isShown = useFingerprint(task)
  switch (isShown) {
    case 'unknown':
      return null
    case 'none':
      return <p className="text-[0.9375rem] text-ink-soft">{common.submission.foreign}</p>
    case 'same':
      return (
        <p className="flex items-start gap-2.5 text-[0.9375rem]">
          <Check aria-hidden className="mt-1 size-4 shrink-0 text-good" />
          {common.submission.same}
        </p>
      )
    case 'other':
      return (
        <p role="alert" className="flex items-start gap-2.5 text-[0.9375rem] font-medium">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-bad" />
          {common.submission.other}
        </p>
      )
  }
}

const isHumans = ({ uploadedBy }: TaskFile) => uploadedBy === 'human'

/** A task's files, grouped by the party that added them. */
export function FilesCard({ task, level = 2, mine = false }: Props) {
  const files = useQuery(taskFilesQuery(task.id)).data
  if (!files?.length) return null
  const { fromHuman, fromHumanExtra, fromAgent } = common.submission
  const groups: [string, TaskFile[]][] = [
    [fromHuman(mine), files.filter((file) => isHumans(file) && file.submitted)],
    [
      task.submittedAt ? fromHumanExtra(mine) : fromHuman(mine),
      files.filter((file) => isHumans(file) && !file.submitted),
    ],
    [fromAgent, files.filter((file) => !isHumans(file))],
  ]
  return (
    <Section heading={common.submission.files} level={level}>
      {groups
        .filter(([, group]) => group.length > 0)
        .map(([title, group]) => (
          <div key={title} className="mb-5 last:mb-0">
            {createElement(
              `h${level + 1}`,
              { className: 'mb-2 text-[0.9375rem] text-ink-soft' },
              title,
            )}
            <FileList taskId={task.id} files={group} />
          </div>
        ))}
    </Section>
  )
}

/** A list of downloadable files. */
export function FileList({ taskId, files }: { taskId: string; files: TaskFile[] }) {
  return (
    <ul className="grid gap-2 empty:hidden">
      {files.map((file) => (
        <FileItem key={file.id} taskId={taskId} file={file} />
      ))}
    </ul>
  )
}
