import { Check, CircleAlert, Download, FileText, LoaderCircle } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { errorText } from '@/api/error'
import { fileUrl, readFile, type TaskFile } from '@/api/file'
import { fileSize } from '@/lib/file'
import { save } from '@/lib/save'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { Address } from '@/ui/address'
import { ReportButton } from './report-button'

interface Props {
  taskId: string
  file: TaskFile
  /** Shown in front of the file, in place of the icon. */
  before?: ReactNode
}

/** A file on the server, with its name, size and hash and a download button. */
export function FileItem({ taskId, file, before }: Props) {
  const { state, begin } = useDownload(taskId, file)
  const Icon = state === 'busy' ? LoaderCircle : Download
  return (
    <li className="flex items-center gap-3.5 rounded-xl border border-line bg-surface py-2.5 pr-2.5 pl-4">
      {before ?? <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />}
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={visible(file.filename)}>
          <bdi translate="no">{visible(file.filename)}</bdi>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
          <span className="figures">{fileSize(file.size)}</span>
          <span className="inline-flex flex-wrap items-center gap-x-1.5">
            SHA-256 <Address hex={file.sha256} />
          </span>
        </p>
        <p aria-live="polite" className="text-sm empty:hidden">
          {state === 'done' && (
            <span className="inline-flex items-start gap-1.5">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
              {common.downloaded}
            </span>
          )}
          {state instanceof Error && (
            <span className="inline-flex items-start gap-1.5 font-medium text-bad">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {errorText(state)}
            </span>
          )}
        </p>
      </div>
      {file.uploadedBy === 'agent' && <ReportButton type="file" subject={file.id} compact />}
      <a
        href={fileUrl(taskId, file)}
        download
        aria-label={common.download(visible(file.filename))}
        onClick={begin}
        className="grid size-10 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Icon aria-hidden className={state === 'busy' ? 'size-5 animate-spin' : 'size-5'} />
      </a>
    </li>
  )
}

/** Downloads a file and saves it only if its content matches its hash. */
function useDownload(taskId: string, file: TaskFile) {
  const [state, setState] = useState<'idle' | 'busy' | 'done' | Error>('idle')
  const begin = async (event: MouseEvent) => {
    event.preventDefault()
    if (state === 'busy') return
    setState('busy')
    try {
      save(visible(file.filename), await readFile(taskId, file))
      setState('done')
    } catch (error) {
      setState(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return { state, begin: (event: MouseEvent) => void begin(event) }
}
