import type { Hex } from 'viem'
import type { TaskFile } from '@/api/file'
import type { Task } from '@/api/task'
import { termsHash } from './terms-hash'
import { type HashedWork, workHash } from './work-hash'

type ShownTerms = Pick<
  Task,
  | 'id'
  | 'agentWalletAddress'
  | 'escrowAmount'
  | 'feeBasisPoints'
  | 'deadline'
  | 'title'
  | 'description'
>

export type FingerprintedTask = ShownTerms &
  Pick<Task, 'humanWalletAddress' | 'submissionNote' | 'proofUrl' | 'workHash'>

/**
 * Whether a task's fingerprint matches the displayed terms, note, link and files. Undefined if no
 * work is displayed because it was submitted directly to the contract.
 */
export function isWhatIsShown(
  task: FingerprintedTask,
  files: readonly Pick<TaskFile, 'sha256' | 'submitted'>[],
): boolean | undefined {
  if (task.submissionNote === undefined || !task.workHash || !task.humanWalletAddress)
    return undefined
  const computed = fingerprintOf(task, {
    note: task.submissionNote,
    proofUrl: task.proofUrl ?? '',
    files: files.filter(({ submitted }) => submitted).map(({ sha256 }) => sha256),
  })
  return computed === task.workHash.toLowerCase()
}

/**
 * Computes the fingerprint of the work from the displayed data. No hash from the server is used.
 */
export function fingerprintOf(
  task: ShownTerms & Pick<Task, 'humanWalletAddress'>,
  work: Pick<HashedWork, 'note' | 'proofUrl' | 'files'>,
): Hex {
  if (!task.humanWalletAddress) throw new Error('the task has no assigned human')
  const terms = termsHash({
    taskId: task.id,
    agent: task.agentWalletAddress,
    amount: task.escrowAmount,
    feeBasisPoints: task.feeBasisPoints,
    deadline: task.deadline,
    title: task.title,
    description: task.description,
  })
  return workHash({
    ...work,
    termsHash: terms,
    agent: task.agentWalletAddress,
    human: task.humanWalletAddress,
  })
}
