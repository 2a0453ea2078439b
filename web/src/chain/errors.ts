import { ApiError } from '@/api/error'
import { messages } from '@/messages/chain'

/** The code of ethers, which some wallets use, for a request that the user rejected. */
const ethersRejection = 'ACTION_REJECTED'

/** The error codes of EIP-1193, EIP-1474 and EIP-5792 that need special handling. */
const codes = {
  rejected: 4001,
  unauthorized: 4100,
  unsupported: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  alreadyAsked: -32002,
  noSuchMethod: -32601,
  wrongParameters: -32602,
}

/** The codes with which only a wallet, never its node, refuses a request. */
const refusals: readonly unknown[] = [
  codes.rejected,
  codes.unauthorized,
  codes.unsupported,
  ethersRejection,
]

/** The codes with which a wallet refuses a request. In an error that the wallet wraps, they are its node's. */
const localRefusals: readonly unknown[] = [
  codes.alreadyAsked,
  codes.noSuchMethod,
  codes.wrongParameters,
]

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

/**
 * An error after which the wallet may have sent the transaction, although the chain shows why it could not
 * succeed.
 */
export class PossiblySent extends Error {
  override readonly name = 'PossiblySent'
  readonly fault: Fault

  constructor(fault: Fault, cause: unknown) {
    super(fault.title, { cause })
    this.fault = fault
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
  const all = codesOf(error)
  return all.includes(codes.rejected) || all.includes(ethersRejection)
}

/**
 * Whether an error proves that the wallet sent nothing. After any other error, such as a lost
 * response, it may have sent a transaction, and only the chain shows whether it did. The words of an
 * error prove nothing: they depend on the wallet, its node and its language.
 */
export function isUnsent(error: unknown): boolean {
  if (error instanceof WalletMismatch || error instanceof TransactionFault || isRejection(error))
    return true
  if (error instanceof PossiblySent) return false
  return (
    codesOf(error).some((code) => refusals.includes(code)) ||
    codesOf(error, ['cause']).some((code) => localRefusals.includes(code) || isOfBundles(code))
  )
}

const isOfBundles = (code: number | string) =>
  typeof code === 'number' && code >= bundleCodes.from && code < bundleCodes.below

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
  if (error instanceof PossiblySent) return error.fault
  if (isRejection(error)) return { title: messages.declined }
  const all = codesOf(error)
  if (all.includes(codes.alreadyAsked)) return { title: messages.pendingRequest }
  if (all.includes(codes.unauthorized)) return { title: messages.noAccess }
  if (all.includes(codes.disconnected) || all.includes(codes.chainDisconnected))
    return messages.disconnected
  if (namesOf(error).some((name) => name === 'HttpRequestError' || name === 'TimeoutError')) {
    return { title: messages.unreachable, hint: messages.moneyIsSafe }
  }
  if (namesOf(error).includes('RpcRequestError')) {
    return { title: messages.badNode, hint: messages.moneyIsSafe }
  }
  return { title: messages.badWallet }
}

/**
 * Returns the codes of an error and its causes, the outermost first. Wallets and libraries wrap the error of
 * the wallet or of its node in errors with general codes.
 */
export function codesOf(error: unknown, through = wrappers): (number | string)[] {
  return [...causesOf(error, through)].flatMap((each) => {
    const code = 'code' in each ? each.code : undefined
    if (typeof code === 'string' && /^-?\d+$/.test(code)) return Number(code)
    return typeof code === 'number' || typeof code === 'string' ? code : []
  })
}

/** The members in which wallets and libraries store the error that they wrap. */
const wrappers: readonly string[] = ['cause', 'data', 'originalError', 'error', 'info']

/** The maximum number of errors that are read, because an error can contain itself. */
const maxCauses = 20

/** Yields an error and the errors that it wraps, the outermost first. */
export function* causesOf(error: unknown, through = wrappers): Generator<object> {
  const queue = [error]
  const visited = new Set<unknown>()
  for (const each of queue) {
    if (typeof each !== 'object' || each === null || visited.has(each)) continue
    if (visited.size >= maxCauses) return
    visited.add(each)
    yield each
    for (const name of through) {
      if (name in each) queue.push((each as Record<string, unknown>)[name])
    }
  }
}

function namesOf(error: unknown): string[] {
  return [...causesOf(error)].flatMap((each) => (each instanceof Error ? [each.name] : []))
}
