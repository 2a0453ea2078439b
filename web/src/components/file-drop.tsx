import { CircleAlert, Upload as UploadIcon, X } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { Upload } from '@/api/use-uploads'
import { classNames } from '@/lib/class-names'
import { limits } from '@/lib/facts.gen'
import { fileSize } from '@/lib/file'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'

interface Props {
  label: string
  uploads: readonly Upload[]
  onAdd: (files: Iterable<File>) => void
  onDismiss: (key: number) => void
}

/** A field for dropping or choosing files, with the uploads in progress. */
export function FileDrop({ label, uploads, onAdd, onDismiss }: Props) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onAdd(event.dataTransfer.files)
  }
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input inside is the accessible
         alternative */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label
          className={classNames(
            'flex cursor-pointer flex-col items-center gap-1 rounded-2xl border-2 border-dashed px-6 py-8 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            over
              ? 'border-accent bg-accent-wash'
              : 'border-line-strong/60 hover:border-line-strong hover:bg-sunken/50',
          )}
        >
          <UploadIcon aria-hidden className="mb-1 size-6 text-accent" />
          <span className="font-medium">{label}</span>
          <span className="text-sm text-ink-soft">
            {common.dropFiles(fileSize(limits.maxFileSize), limits.maxFilesPerTask)}
          </span>
          <input
            type="file"
            multiple
            className="sr-only"
            onChange={(event) => {
              onAdd([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      </div>
      {uploads.length > 0 && (
        <ul className="grid gap-2">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} onDismiss={() => onDismiss(upload.key)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function UploadRow({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  const { filename, size, share, fault } = upload
  return (
    <li className="rounded-xl border border-line bg-surface px-4 py-3">
      <p className="flex items-center justify-between gap-4 text-[0.9375rem]">
        <span translate="no" className="min-w-0 truncate font-medium">
          {visible(filename)}
        </span>
        <span className="figures shrink-0 text-ink-soft">{fileSize(size)}</span>
      </p>
      {fault === undefined ? (
        <progress
          value={share}
          max={1}
          aria-label={common.uploading(visible(filename))}
          className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
        />
      ) : (
        <p
          role="alert"
          data-aside
          className="mt-1.5 flex items-start gap-2 text-[0.9375rem] text-bad"
        >
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          <span className="flex-1">{fault}</span>
          <button
            type="button"
            aria-label={common.dismiss(visible(filename))}
            onClick={onDismiss}
            className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-bad-wash"
          >
            <X aria-hidden className="size-4" />
          </button>
        </p>
      )}
    </li>
  )
}
