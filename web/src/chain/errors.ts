import { ApiError } from '@/api/error'

/** Codes of EIP-1193 and EIP-1474 that a page treats in a way of their own. */
const codes = { rejected: 4001, unauthorized: 4100, alreadyAsked: -32002 }

/** Whether the person said no in the wallet. That is an answer, not a fault. */
export function isRejection(error: unknown): boolean {
  return codeOf(error) === codes.rejected || nameOf(error) === 'UserRejectedRequestError'
}

/** What to tell somebody about a failure in or around the wallet. */
export function walletSentence(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (isRejection(error)) return 'You said no in the wallet. Nothing was signed.'
  switch (codeOf(error)) {
    case codes.alreadyAsked:
      return 'The wallet already waits for your answer. Open it and look there.'
    case codes.unauthorized:
      return 'The wallet does not let this page use that account.'
  }
  return 'The wallet did not answer as expected. Unlock it, then try again.'
}

/** The first code in a chain of causes: libraries wrap what the wallet said. */
function codeOf(error: unknown): number | undefined {
  for (
    let each = error;
    typeof each === 'object' && each !== null;
    each = 'cause' in each ? each.cause : undefined
  ) {
    if ('code' in each && typeof each.code === 'number') return each.code
  }
  return undefined
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined
}
