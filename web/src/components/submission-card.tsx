import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, ExternalLink, Fingerprint } from 'lucide-react'
import { createElement, useId } from 'react'
import { taskFilesQuery } from '@/api/file'
import type { Task } from '@/api/task'
import { useFingerprint } from '@/chain/use-fingerprint'
import { common } from '@/messages/common'
import { Address } from '@/ui/address'
import { UserAddress, UserText } from '@/ui/user-text'
import { FileItem } from './file-item'

interface Props {
  task: Task
  /** The level of the heading. */
  level?: 2 | 3
}

function Heading({ id, level, children }: { id: string; level: 2 | 3; children: string }) {
  return createElement(`h${level}`, { id, className: 'mb-3 text-xl font-semibold' }, children)
}

/** What was handed in: note, link and the fingerprint that the chain keeps of all of it. */
export function SubmissionCard({ task, level = 2 }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Heading id={id} level={level}>
        {common.submission.title}
      </Heading>
      <div className="grid gap-4">
        {task.submissionNote && <UserText className="max-w-prose">{task.submissionNote}</UserText>}
        {task.proofUrl && (
          <p className="flex items-center gap-2 [overflow-wrap:anywhere]">
            <ExternalLink aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <UserAddress>{task.proofUrl}</UserAddress>
          </p>
        )}
        {task.workHash && <StoredTransaction hash={task.workHash} />}
      </div>
    </section>
  )
}

function StoredTransaction({ hash }: { hash: string }) {
  return (
    <p className="flex items-start gap-2.5 text-[0.9375rem] text-ink-soft">
      <Fingerprint aria-hidden className="mt-1 size-4 shrink-0" />
      <span>{common.submission.fingerprint(<Address hex={hash} />)}</span>
    </p>
  )
}

/** Says whether what the page shows has the fingerprint that the chain keeps. */
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

/** The files of a task, by the side that added them. */
export function FilesCard({ task, level = 2 }: Props) {
  const id = useId()
  const files = useQuery(taskFilesQuery(task.id))
  if (!files.data?.length) return null
  const parts = [
    {
      title: common.submission.fromHuman,
      has: files.data.filter((file) => isHumans(file) && file.submitted),
    },
    {
      title: task.submittedAt ? common.submission.fromHumanExtra : common.submission.fromHuman,
      has: files.data.filter((file) => isHumans(file) && !file.submitted),
    },
    { title: common.submission.fromAgent, has: files.data.filter((file) => !isHumans(file)) },
  ]
  return (
    <section aria-labelledby={id}>
      <Heading id={id} level={level}>
        {common.submission.files}
      </Heading>
      {parts
        .filter(({ has }) => has.length > 0)
        .map(({ title, has }) => (
          <div key={title} className="mb-5 last:mb-0">
            {createElement(
              `h${level + 1}`,
              { className: 'mb-2 text-[0.9375rem] text-ink-soft' },
              title,
            )}
            <ul className="grid gap-2">
              {has.map((file) => (
                <FileItem key={file.id} taskId={task.id} file={file} />
              ))}
            </ul>
          </div>
        ))}
    </section>
  )
}

const isHumans = ({ uploadedBy }: { uploadedBy: string }) => uploadedBy === 'human'
