import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Contracts, useContracts } from '@/api/contracts'
import { useSession } from '@/api/session'
import { requestFailed } from '@/lib/event'
import { useStoredValue } from '@/lib/stored-value'
import { messages } from '@/messages/chain'
import {
  type Fault,
  isRejection,
  isUnsent,
  type Obstacle,
  TransactionFault,
  WalletMismatch,
  walletFault,
} from './errors'
import { exclusively } from './exclusively'
import type { Intent } from './intent'
import { obstacleOf, removeObstacle } from './obstacle'
import type { Review } from './review'
import {
  type Ask,
  deleteTransaction,
  keyOf,
  type StoredTransaction,
  storedTransactions,
  storeTransaction,
} from './stored-transactions'
import { openWallet } from './wallet'
import type { WalletCore } from './wallet-core'

/**
 * A transaction of a page.
 *
 *     const transaction = useTransaction(`submit:${task.id}`)
 *     …
 *     <Button onClick={() => transaction.begin(async () => {
 *       const proposal = await recordWork(task.id, work)      // the server's part first, if any
 *       return {
 *         does: 'Stores the fingerprint of your work.',
 *         call: { contract: 'escrow', name: 'submitTask', args: [task.escrowTaskId, hash] },
 *         proposal,                                           // compared with `call`, never signed
 *       }
 *     })}>Submit work</Button>
 *     <TransactionPanel transaction={transaction} done="Your work was submitted." />
 *
 * `begin` leads to the review, and `confirm` to the wallet. TransactionPanel shows the buttons and
 * announces every state; it is empty while the state is `idle`, and the button that begins the
 * transaction is hidden otherwise. The purpose identifies the transaction: it is stored for each
 * wallet, survives a reload and a closed tab, and every page with the same purpose shows it. Layout
 * follows pending transactions and refetches all queries afterwards.
 */
export interface Transaction {
  state: TransactionState
  /** Builds the intent, checks it and shows it for review. Ends if there is nothing to sign. */
  begin(make: Make): void
  /** Confirms the review and sends the request to the wallet. */
  confirm(): void
  /** Starts the review again after a rejection, a failure or an interruption. */
  again(): void
  /** Corrects the wallet's account or chain, then continues. */
  unblock(): void
  /** Deletes the transaction from this browser. If it was already sent, it is still executed. */
  dismiss(): void
}

type Make = () => Intent | undefined | Promise<Intent | undefined>

export type TransactionState =
  | { name: 'idle' }
  | { name: 'checking' }
  | { name: 'blocked'; by: Obstacle; fault?: Fault | undefined; busy: boolean }
  /** `busy`: the user has confirmed the review, and the wallet request follows. */
  | { name: 'review'; review: Review; busy: boolean }
  /**
   * `interrupted`: the page was closed during a wallet request, or the wallet returned an error
   * that does not show whether it sent the transaction.
   */
  | { name: 'wallet'; ask: Ask; interrupted: boolean; fault?: Fault | undefined }
  /**
   * The user cancelled in the wallet. A permit that was already signed remains valid for the next
   * attempt.
   */
  | { name: 'declined'; review?: Review | undefined }
  /** `at`: when the state began, in milliseconds since 1970. */
  | {
      name: 'sent' | 'included' | 'final'
      hash?: string | undefined
      resent: boolean
      ask: Ask
      at: number
    }
  | { name: 'ready' }
  | { name: 'failed'; fault: Fault; hash?: string | undefined }

/**
 * Whether the transaction is in progress, or has stopped and was not dismissed. If not, another one
 * can be started.
 */
export const isUnderWay = ({ name }: TransactionState) =>
  name !== 'idle' && name !== 'included' && name !== 'final'

/** Whether a stored transaction is neither with the wallet nor pending. */
const hasStopped = ({ stage }: StoredTransaction) => stage !== 'wallet' && stage !== 'sent'

/** The states that are not stored. */
type LocalState = Extract<
  TransactionState,
  { name: 'checking' | 'blocked' | 'review' | 'declined' | 'failed' }
>

// The requests that this page has sent to the wallet. A stored request that is not in this set was
// interrupted.
const asking = new Set<string>()

/**
 * Returns the user's transaction for one purpose. `isOver`: what the transaction began has ended, for
 * example because the application was decided. Its result is then no longer true and not shown, nor
 * can it be continued.
 */
export function useTransaction(purpose: string, isOver = false): Transaction {
  const queries = useQueryClient()
  const contracts = useContracts()
  const wallet = useSession()?.walletAddress
  const key = wallet && contracts && keyOf({ wallet, chainId: contracts.chainId, purpose })
  const last = useStoredValue(storedTransactions).find((each) => keyOf(each) === key)
  const stored = last && isOver && hasStopped(last) ? undefined : last
  useShown(key)
  const [local, setLocal] = useState<LocalState>()
  const intent = useRef<Intent>(undefined)
  const lastMake = useRef<Make>(undefined)
  const resume = useRef<() => void>(undefined)

  const attempt = async (what: (core: WalletCore) => Promise<void>, review?: Review) => {
    resume.current = () => void attempt(what, review)
    try {
      const core = await openWallet(queries)
      const by = await obstacleOf(core, wallet, contracts)
      if (by) setLocal({ name: 'blocked', by, busy: false })
      else await what(core)
    } catch (error) {
      if (isRejection(error)) return setLocal({ name: 'declined', review })
      if (error instanceof WalletMismatch) {
        return setLocal({ name: 'blocked', by: error.by, busy: false })
      }
      requestFailed.emit()
      setLocal({ name: 'failed', fault: walletFault(error) })
    }
  }

  const review = (make: Make) => {
    setLocal({ name: 'checking' })
    void attempt(async (core) => {
      intent.current = await make()
      if (!wallet || !intent.current) return setLocal(undefined)
      const review = await core.review(wallet, intent.current)
      setLocal({ name: 'review', review, busy: false })
    })
  }

  return {
    state: local ?? stateOf(stored, key),
    begin(make) {
      intent.current = undefined
      lastMake.current = make
      review(make)
    },
    confirm() {
      if (local?.name !== 'review' || !contracts || !key) return
      const { review } = local
      setLocal({ name: 'review', review, busy: true })
      const onBegun = () => setLocal(undefined)
      void attempt((core) => run(core, review, contracts, purpose, onBegun), review)
    },
    again() {
      if (local?.name === 'declined' && local.review)
        return setLocal({ name: 'review', review: local.review, busy: false })
      const existing = intent.current ?? (lastMake.current ? undefined : stored?.intent)
      const make = existing ? () => existing : lastMake.current
      if (make) review(make)
      else setLocal(undefined)
    },
    unblock() {
      if (local?.name !== 'blocked') return
      setLocal({ ...local, busy: true })
      void openWallet(queries)
        .then((core) => removeObstacle(core, local.by))
        .then(
          () => resume.current?.(),
          (error: unknown) => setLocal({ ...local, busy: false, fault: walletFault(error) }),
        )
    },
    dismiss() {
      setLocal(undefined)
      // A sent transaction that this tab does not display belongs to another tab.
      if (key && !(local && stored?.stage === 'sent')) deleteTransaction(key)
    },
  }
}

// The keys of the transactions displayed in this tab, with the number of components that show each.
const displays = new Map<string, number>()

function useShown(key: string | undefined) {
  useEffect(() => {
    if (!key) return
    const count = (by: number) => displays.set(key, (displays.get(key) ?? 0) + by)
    count(1)
    return () => void count(-1)
  }, [key])
}

/** Whether a page displays the transaction's progress, so that no toast is needed. */
export const isShown = (stored: StoredTransaction) => (displays.get(keyOf(stored)) ?? 0) > 0

/** Sends the request to the wallet. Each step is stored, so that it survives a reload. */
async function run(
  core: WalletCore,
  review: Review,
  contracts: Contracts,
  purpose: string,
  onBegun: () => void,
) {
  const { account: wallet, intent } = review
  const base = { wallet, chainId: contracts.chainId, purpose, intent }
  const key = keyOf(base)
  let stored: StoredTransaction | undefined
  const ask = async () => {
    const last = latestOf(key)
    if (last?.stage === 'sent') return onBegun() // another tab has already sent it
    // The wallet may have sent the transaction in an earlier attempt, after which it returned an error.
    const now = last?.stage === 'wallet' && last.ask !== 'permit' ? await core.check(last) : last
    if (now && now !== last && now.stage !== 'wallet') {
      storeTransaction(now)
      return onBegun()
    }
    asking.add(key)
    try {
      await core.send(review, (step) => {
        stored = { ...stored, ...base, ...step, at: Date.now() }
        storeTransaction(stored)
        onBegun()
      })
    } catch (error) {
      asking.delete(key)
      const last = stored?.ask !== 'permit' && !isUnsent(error) ? stored : undefined
      // The wallet may have sent the transaction.
      if (last) return storeTransaction({ ...last, why: walletFault(error) })
      // Nothing was sent, so no transaction needs to be stored.
      deleteTransaction(key)
      throw error
    } finally {
      asking.delete(key)
    }
  }
  if (await exclusively(key, ask)) return
  throw new TransactionFault(messages.otherTab.title, messages.otherTab.hint)
}

// Other tabs may have changed the transaction, so the decision to send uses the stored value.
const latestOf = (key: string) => storedTransactions.latest().find((each) => keyOf(each) === key)

function stateOf(stored: StoredTransaction | undefined, key: string | undefined): TransactionState {
  if (!stored || !key) return { name: 'idle' }
  const { stage, ask, hash, resent = false, why, at } = stored
  switch (stage) {
    case 'wallet':
      return { name: stage, ask, interrupted: !asking.has(key), fault: why }
    case 'sent':
    case 'included':
    case 'final':
      return { name: stage, hash, resent, ask, at }
    case 'ready':
      return { name: stage }
    case 'failed':
      return { name: stage, hash, fault: why ?? { title: messages.failed } }
  }
}

// Polling intervals in ms: while the transaction is pending, and until its block is final.
const pendingInterval = 1_500
const finalizingInterval = 12_000
// In ms. For this long after a change, all queries are refetched with every poll, because the
// server follows the chain with a delay.
const refetchTime = 20_000

/**
 * Follows this wallet's pending transactions, started from any page. Only the layout calls this.
 */
export function useFollowedTransactions() {
  const queries = useQueryClient()
  const wallet = useSession()?.walletAddress
  const open = useStoredValue(storedTransactions).some((each) => isOpen(each, wallet))
  useEffect(() => {
    if (!wallet || !open) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const round = async () => {
      await followAll(queries, wallet).catch(() => undefined) // the next poll retries it
      if (ended) return
      const waits = openOf(wallet).some((each) => !isBlock(each.stage) || isFresh(each))
      timer = setTimeout(() => void round(), waits ? pendingInterval : finalizingInterval)
    }
    void round()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [queries, wallet, open])
}

const isBlock = (stage: StoredTransaction['stage']) => stage === 'included' || stage === 'final'
const isFresh = ({ at }: StoredTransaction) => Date.now() - at < refetchTime

/**
 * Whether the transaction's state on the chain, or the server's data about it, can still change.
 */
function isOpen(stored: StoredTransaction, wallet: string | undefined): boolean {
  if (stored.wallet.toLowerCase() !== wallet?.toLowerCase()) return false
  switch (stored.stage) {
    case 'wallet':
      return stored.ask !== 'permit' && !asking.has(keyOf(stored))
    case 'sent':
    case 'included':
      return true
    case 'final':
      return isFresh(stored)
    default:
      return false
  }
}

const openOf = (wallet: string) => storedTransactions.get().filter((each) => isOpen(each, wallet))

// The roots of the query keys that no transaction affects.
const unaffected: readonly unknown[] = ['session', 'contracts', 'app-config', 'skills', 'places']

async function followAll(queries: QueryClient, wallet: string) {
  const core = await openWallet(queries)
  for (const each of openOf(wallet)) {
    // A transaction that cannot be checked must not delay the others.
    const next = each.stage === 'final' ? each : await core.check(each).catch(() => each)
    if (next !== each && isUnchanged(each)) storeTransaction(next)
    if (isBlock(next.stage) && isFresh(next)) {
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => !unaffected.includes(queryKey[0]),
      })
    }
  }
}

/**
 * Whether the stored transaction is unchanged. It may have been dismissed or requested again since
 * it was read.
 */
function isUnchanged(stored: StoredTransaction): boolean {
  const now = latestOf(keyOf(stored))
  return now?.at === stored.at && now.stage === stored.stage
}
