import { listValidations, postVerdict } from './gen/sdk.gen'
import type { Validation as WireValidation } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

const toValidation = converter<WireValidation>()(['opens_at', 'closes_at'])

/**
 * A task that needs verdicts from the reader's panel. `round` is 0 for a review and 1 for a
 * dispute; `mine` is the reader's own verdict. `typedData` is never signed unchecked: see
 * chain/verdict.ts.
 */
export type Validation = ReturnType<typeof toValidation>

/**
 * The tasks that need a verdict, earliest deadline first, in pages. For current and former
 * validators.
 */
export const validationsQuery = listQuery(['validations'], 20, async (query, signal) => {
  const page = await listValidations({ query, signal })
  return toPage(page, page.validations.map(toValidation))
})

/** A validator's decision about a task. */
export interface Decision {
  approved: boolean
  reason: string
}

/** Submits a verdict. It cannot be changed. */
export async function submitVerdict(taskId: string, decision: Decision, signature: string) {
  await postVerdict({ path: { id: taskId }, body: { ...decision, signature } })
}
