import { Download, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileUrl, type TaskFile } from '@/api/file'
import { fileSize } from '@/lib/file'
import { visible } from '@/lib/user-text'
import { Address } from './address'

interface Props {
  taskId: string
  file: TaskFile
  /** What stands before it, in place of the icon. */
  before?: ReactNode
}

/** A file that the server has: its name, its size, its hash, and a way to download it. */
export function FileItem({ taskId, file, before }: Props) {
  return (
    <li className="flex items-center gap-3.5 rounded-xl border border-line bg-surface py-2.5 pr-2.5 pl-4">
      {before ?? <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={visible(file.filename)}>
          <bdi>{visible(file.filename)}</bdi>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
          <span className="figures">{fileSize(file.size)}</span>
          <span className="inline-flex flex-wrap items-center gap-x-1.5">
            SHA-256 <Address hex={file.sha256} />
          </span>
        </p>
      </div>
      <a
        href={fileUrl(taskId, file)}
        download
        aria-label={`Download ${visible(file.filename)}`}
        className="grid size-10 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Download aria-hidden className="size-5" />
      </a>
    </li>
  )
}
