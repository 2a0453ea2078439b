import { listValidations, postVerdict } from './gen/sdk.gen'
import type { Validation as WireValidation } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

const toValidation = converter<WireValidation>()(['opens_at', 'closes_at'])

/**
 * A task that needs verdicts from the signed-in validator's panel. `round` is 0 for a review and 1
 * for a dispute; `mine` is the validator's own verdict. `typedData` is never signed without being
 * checked: see chain/verdict.ts.
 */
export type Validation = ReturnType<typeof toValidation>

/**
 * The tasks that need a verdict, earliest deadline first, in pages. Readable by current and former
 * validators.
 */
export const validationsQuery = listQuery(['validations'], 20, async (query, signal) => {
  const page = await listValidations({ query, signal })
  return toPage(page, page.validations.map(toValidation))
})

/** A validator's decision on a task. */
export interface Decision {
  approved: boolean
  reason: string
}

/** Submits a verdict, which cannot be changed afterwards. */
export async function submitVerdict(taskId: string, decision: Decision, signature: string) {
  await postVerdict({ path: { id: taskId }, body: { ...decision, signature } })
}
