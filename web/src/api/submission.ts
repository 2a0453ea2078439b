import { submitWork } from './gen/sdk.gen'
import { type Proposal, toProposal } from './proposal'

/** The work that a human submits. */
export interface Work {
  note: string
  /** A link to further material; empty if there is none. */
  proofUrl: string
  fileIds: string[]
}

/** Records submitted work. It becomes effective once its hash is on the chain. */
export async function recordWork(
  taskId: string,
  { note, proofUrl, fileIds }: Work,
): Promise<Proposal> {
  const created = await submitWork({
    path: { id: taskId },
    body: { note, file_ids: fileIds, ...(proofUrl ? { proof_url: proofUrl } : {}) },
  })
  return toProposal(created, created.submit_task_calldata)
}
