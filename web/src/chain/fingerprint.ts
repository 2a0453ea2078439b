import type { TaskFile } from '@/api/file'
import type { Task } from '@/api/task'
import { termsHash } from './terms-hash'
import { workHash } from './work-hash'

export type FingerprintedTask = Pick<
  Task,
  | 'id'
  | 'agentWalletAddress'
  | 'humanWalletAddress'
  | 'escrowAmount'
  | 'feeBasisPoints'
  | 'deadline'
  | 'title'
  | 'description'
  | 'submissionNote'
  | 'proofUrl'
  | 'workHash'
>

/**
 * Whether the fingerprint of a task's work is that of the terms, the note, the link and the files
 * which a page shows; undefined where it shows no work, because that was handed in without this site.
 */
export function isWhatIsShown(
  task: FingerprintedTask,
  files: readonly Pick<TaskFile, 'sha256' | 'submitted'>[],
): boolean | undefined {
  if (task.submissionNote === undefined || !task.workHash || !task.humanWalletAddress)
    return undefined
  const terms = termsHash({
    taskId: task.id,
    agent: task.agentWalletAddress,
    amount: task.escrowAmount,
    feeBasisPoints: task.feeBasisPoints,
    deadline: task.deadline,
    title: task.title,
    description: task.description,
  })
  const shown = workHash({
    termsHash: terms,
    agent: task.agentWalletAddress,
    human: task.humanWalletAddress,
    note: task.submissionNote,
    proofUrl: task.proofUrl ?? '',
    files: files.filter(({ submitted }) => submitted).map(({ sha256 }) => sha256),
  })
  return shown === task.workHash.toLowerCase()
}
