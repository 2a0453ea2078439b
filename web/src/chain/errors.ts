import { ApiError } from '@/api/error'
import { messages } from '@/messages/chain'

/** The error codes of EIP-1193, EIP-1474 and EIP-5792 that need special handling. */
const codes = {
  rejected: 4001,
  unauthorized: 4100,
  unsupported: 4200,
  alreadyAsked: -32002,
  noSuchMethod: -32601,
  wrongParameters: -32602,
}

/** The range of EIP-5792 error codes: `from` is included, `below` is excluded. */
const bundleCodes = { from: 5700, below: 5800 }

/** The wallet state that prevents a request: the wrong network or the wrong account. */
export type Obstacle = 'network' | 'wallet'

/** A failure and the suggested next step, as sentences. */
export interface Fault {
  title: string
  hint?: string | undefined
}

/**
 * An error whose message is shown unchanged. Nothing was signed unless the message states
 * otherwise.
 */
export class TransactionFault extends Error {
  override readonly name = 'TransactionFault'
  readonly hint?: string | undefined

  constructor(title: string, hint?: string) {
    super(title)
    this.hint = hint
  }
}

/**
 * The error if the chain's data differs from the displayed data, or a displayed value does not
 * follow from it.
 */
export const otherChain = () => new TransactionFault(messages.otherChain, messages.doNotSign)

/** Thrown if the wallet is on another account or chain. Nothing was signed. */
export class WalletMismatch extends Error {
  override readonly name = 'WalletMismatch'
  readonly by: Obstacle

  constructor(by: Obstacle) {
    super(`the wallet shows another ${by === 'network' ? 'network' : 'account'}`)
    this.by = by
  }
}

const mismatchFaults: Record<Obstacle, Fault> = {
  network: messages.otherNetwork,
  wallet: messages.otherAccount,
}

/** The error of a call that a contract rejected. Its texts are those of the command-line tool. */
export class ContractRefusal extends TransactionFault {
  /** The name of the contract's error, such as `StakeMismatch`; empty if it is unknown. */
  readonly refusal: string

  constructor(refusal: string, words: { sentence: string; next: string }) {
    super(toSentence(words.sentence), toSentence(words.next))
    this.refusal = refusal
  }
}

const toSentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** Whether the user rejected the request in the wallet, which is not a failure. */
export function isRejection(error: unknown): boolean {
  return codeOf(error) === codes.rejected || namesOf(error).includes('UserRejectedRequestError')
}

/**
 * Whether an error proves that the wallet sent nothing. After any other error, such as a lost
 * response, it may have sent a transaction.
 */
export function isUnsent(error: unknown): boolean {
  if (error instanceof WalletMismatch || error instanceof TransactionFault || isRejection(error))
    return true
  const code = codeOf(error) ?? 0
  const isBundles = code >= bundleCodes.from && code < bundleCodes.below
  return isBundles || isIn(codes, code) || lacksCoin(error)
}

const isIn = (all: Record<string, number>, code: number) => Object.values(all).includes(code)

const lacksCoin = (error: unknown) => /insufficient funds/i.test(textOf(error))

/** Describes a wallet or node failure and the suggested next step, in sentences. */
export function walletMessage(error: unknown): string {
  const { title, hint } = walletFault(error)
  return hint ? `${title} ${hint}` : title
}

/** Describes a wallet or node failure and the suggested next step. */
export function walletFault(error: unknown): Fault {
  if (error instanceof ApiError || error instanceof TransactionFault)
    return { title: error.message, hint: error.hint }
  if (error instanceof WalletMismatch) return mismatchFaults[error.by]
  if (isRejection(error)) return { title: messages.declined }
  switch (codeOf(error)) {
    case codes.alreadyAsked:
      return { title: messages.pendingRequest }
    case codes.unauthorized:
      return { title: messages.noAccess }
  }
  if (lacksCoin(error)) {
    return { title: messages.noGas, hint: messages.sendGas }
  }
  if (namesOf(error).some((name) => name === 'HttpRequestError' || name === 'TimeoutError')) {
    return { title: messages.unreachable, hint: messages.moneyIsSafe }
  }
  if (namesOf(error).includes('RpcRequestError')) {
    return { title: messages.badNode, hint: messages.moneyIsSafe }
  }
  return { title: messages.badWallet }
}

/** Returns the first code in a chain of causes, because libraries wrap the wallet's error. */
export function codeOf(error: unknown): number | undefined {
  for (const each of causesOf(error)) {
    if ('code' in each && typeof each.code === 'number') return each.code
  }
  return undefined
}

/** Joins the messages of an error and its causes. */
function textOf(error: unknown): string {
  return [...causesOf(error)].map((each) => ('message' in each ? each.message : '')).join('\n')
}

/** Yields an error and its causes, the outermost first. */
export function* causesOf(error: unknown): Generator<object> {
  for (
    let each = error;
    typeof each === 'object' && each !== null;
    each = 'cause' in each ? each.cause : undefined
  ) {
    yield each
  }
}

function namesOf(error: unknown): string[] {
  return [...causesOf(error)].flatMap((each) => (each instanceof Error ? [each.name] : []))
}
