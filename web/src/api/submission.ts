import { submitWork } from './gen/sdk.gen'
import type { Proposal } from './proposal'

/** What a human hands in. */
export interface Work {
  note: string
  /** Where more of it is; empty for nowhere. */
  proofUrl: string
  fileIds: string[]
}

/** Records work. It is handed in once the chain has its hash. */
export async function recordWork(
  taskId: string,
  { note, proofUrl, fileIds }: Work,
): Promise<Proposal> {
  const made = await submitWork({
    path: { id: taskId },
    body: { note, file_ids: fileIds, ...(proofUrl ? { proof_url: proofUrl } : {}) },
  })
  return {
    to: made.to,
    chainId: made.chain_id,
    value: made.value,
    data: made.submit_task_calldata,
  }
}
