import { queryOptions } from '@tanstack/react-query'
import { limits } from '@/lib/facts.gen'
import { sha256 } from '@/lib/file'
import { messages } from '@/messages/api'
import { csrfHeader } from './client'
import { ApiError, toApiError } from './error'
import { listTaskFiles } from './gen/sdk.gen'
import type { TaskFile as WireFile } from './gen/types.gen'
import { converter } from './wire'

const convert = converter<WireFile>()(['uploaded_at'])

const toTaskFile = (wire: WireFile) => {
  const {
    originalFilename: filename,
    fileSize: size,
    uploadedAt: createdAt,
    ...same
  } = convert(wire)
  return { ...same, filename, size, createdAt }
}

/**
 * A file that one party added to a task. `submitted`: the file is part of the work whose
 * fingerprint is on the chain; `shared`: users other than the uploader can read it.
 */
export type TaskFile = ReturnType<typeof toTaskFile>

/** The files of a task, readable by its two parties and by validators. */
export const taskFilesQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['task', taskId, 'files'],
    queryFn: async ({ signal }) => {
      const query = { page_size: 2 * limits.maxFilesPerTask }
      const { files } = await listTaskFiles({ path: { id: taskId }, query, signal })
      return files.map(toTaskFile)
    },
  })

const filesPath = (taskId: string) => `/api/v1/tasks/${encodeURIComponent(taskId)}/files/`

/** Returns the URL that downloads the file as an attachment. */
export const fileUrl = (taskId: string, { id }: TaskFile) => `${filesPath(taskId)}${id}`

/** Downloads a file. Throws if its content does not match the expected hash. */
export async function readFile(taskId: string, file: TaskFile): Promise<Blob> {
  const response = await fetch(fileUrl(taskId, file)).catch((error: unknown) => {
    throw toApiError(error, undefined)
  })
  if (!response.ok) throw toApiError(readJson(await response.text()), response)
  // The blob has no media type, so a browser does not open it as a page.
  const content = new Blob([await response.arrayBuffer()])
  if ((await sha256(content)) !== file.sha256) {
    throw new ApiError(response.status, { error: 'other_file', ...messages.otherFile })
  }
  return content
}

/**
 * Uploads a file to a task. Uses XMLHttpRequest, because fetch cannot report upload progress (0 to
 * 1).
 */
export function uploadFile(
  taskId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<TaskFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', filesPath(taskId))
    for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(toApiError(undefined, undefined))
    request.onload = () => {
      const body = readJson(request.responseText)
      if (request.status === 201) resolve(toTaskFile(body as WireFile))
      else reject(toApiError(body, request))
    }
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
