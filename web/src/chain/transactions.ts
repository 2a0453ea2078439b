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
import { obstacle, removeObstacle } from './obstacle'
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
 * How a page does something on the chain.
 *
 *     const transaction = useTransaction(`submit:${task.id}`)
 *     …
 *     <Button onClick={() => transaction.begin(async () => {
 *       const made = await submitWork(task.id, draft)         // the server's part first, if it has one
 *       return {
 *         does: 'Puts the hash of your work on the chain.',
 *         call: { contract: 'escrow', name: 'submitTask', args: [task.escrowTaskId, made.workHash] },
 *         proposal: made.proposal,                            // compared with `call`, never signed
 *       }
 *     })}>Hand in</Button>
 *     <TransactionPanel transaction={transaction} done="Your work is handed in." />
 *
 * `begin` leads to the review, and `confirm` there to the wallet; TransactionPanel (ui/) has the
 * buttons, says every state aloud, and is empty while there is nothing to say. Hide what began it
 * while `transaction.state.name` is not `idle`. The purpose names one thing of one task: what is
 * begun for it is remembered per wallet, also over a reload and a closed tab, and any page that
 * names the purpose shows it and can go on with it. Layout follows what is on its way and reads
 * all queries again when it has arrived, so a page need not wait for anything itself.
 */
export interface Transaction {
  state: TransactionState
  /** Makes the intent, checks it and shows it for review; ends where there is nothing to sign. */
  begin(make: Make): void
  /** Goes on from the review: the wallet is asked. */
  confirm(): void
  /** Reviews once more what was begun, after a no, a failure or an interruption. */
  again(): void
  /** Takes the obstacle away, network or wallet, then goes on. */
  unblock(): void
  /** Forgets it. What the wallet has sent goes on all the same. */
  dismiss(): void
}

type Make = () => Intent | undefined | Promise<Intent | undefined>

export type TransactionState =
  | { name: 'idle' }
  | { name: 'checking' }
  | { name: 'blocked'; by: Obstacle; fault?: Fault | undefined; busy: boolean }
  /** `busy`: it was confirmed, and the wallet is about to be asked. */
  | { name: 'review'; review: Review; busy: boolean }
  /**
   * `interrupted`: the page was left during a wallet request, or the wallet returned an error that
   * does not show whether it acted.
   */
  | { name: 'wallet'; ask: Ask; interrupted: boolean; fault?: Fault | undefined }
  /**
   * The user cancelled in the wallet. A permission signed before remains valid for the next try.
   */
  | { name: 'declined'; review?: Review | undefined }
  /** `at`: since when, in milliseconds. */
  | {
      name: 'sent' | 'included' | 'final'
      hash?: string | undefined
      resent: boolean
      ask: Ask
      at: number
    }
  | { name: 'ready' }
  | { name: 'failed'; fault: Fault; hash?: string | undefined }

/** Whether it is in progress; otherwise another can begin. */
export const isUnderWay = ({ name }: TransactionState) =>
  name !== 'idle' && name !== 'included' && name !== 'final'

/** What a page knows that is not worth remembering. */
type Passing = Extract<
  TransactionState,
  { name: 'checking' | 'blocked' | 'review' | 'declined' | 'failed' }
>

// What the wallet is asked for by this very page; what is only remembered was interrupted.
const asking = new Set<string>()

/** One action of the user on the chain, at most one at a time. */
export function useTransaction(purpose: string): Transaction {
  const queries = useQueryClient()
  const contracts = useContracts()
  const wallet = useSession()?.walletAddress
  const key = wallet && contracts && keyOf({ wallet, chainId: contracts.chainId, purpose })
  const kept = useStoredValue(storedTransactions).find((each) => keyOf(each) === key)
  useShown(key)
  const [passing, setPassing] = useState<Passing>()
  const intent = useRef<Intent>(undefined)
  const making = useRef<Make>(undefined)
  const resume = useRef<() => void>(undefined)

  const attempt = async (what: (core: WalletCore) => Promise<void>, review?: Review) => {
    resume.current = () => void attempt(what, review)
    try {
      const core = await openWallet(queries)
      const by = await obstacle(core, wallet, contracts)
      if (by) setPassing({ name: 'blocked', by, busy: false })
      else await what(core)
    } catch (error) {
      if (isRejection(error)) return setPassing({ name: 'declined', review })
      if (error instanceof WalletMismatch) {
        return setPassing({ name: 'blocked', by: error.by, busy: false })
      }
      requestFailed.emit()
      setPassing({ name: 'failed', fault: walletFault(error) })
    }
  }

  const review = (make: Make) => {
    setPassing({ name: 'checking' })
    void attempt(async (core) => {
      intent.current = await make()
      if (!wallet || !intent.current) return setPassing(undefined)
      const review = await core.review(wallet, intent.current)
      setPassing({ name: 'review', review, busy: false })
    })
  }

  return {
    state: passing ?? stateOf(kept, key),
    begin(make) {
      intent.current = undefined
      making.current = make
      review(make)
    },
    confirm() {
      if (passing?.name !== 'review' || !contracts || !key) return
      const { review } = passing
      setPassing({ name: 'review', review, busy: true })
      const begun = () => setPassing(undefined)
      void attempt((core) => run(core, review, contracts, purpose, begun), review)
    },
    again() {
      if (passing?.name === 'declined' && passing.review)
        return setPassing({ name: 'review', review: passing.review, busy: false })
      const last = intent.current ?? (making.current ? undefined : kept?.intent)
      const make = last ? () => last : making.current
      if (make) review(make)
      else setPassing(undefined)
    },
    unblock() {
      if (passing?.name !== 'blocked') return
      setPassing({ ...passing, busy: true })
      void openWallet(queries)
        .then((core) => removeObstacle(core, passing.by))
        .then(
          () => resume.current?.(),
          (error: unknown) => setPassing({ ...passing, busy: false, fault: walletFault(error) }),
        )
    },
    dismiss() {
      setPassing(undefined)
      // What is on its way was sent by another tab, if this one shows something else.
      if (key && !(passing && kept?.stage === 'sent')) deleteTransaction(key)
    },
  }
}

// Whose state is on the screen of this tab, and how many times.
const shown = new Map<string, number>()

function useShown(key: string | undefined) {
  useEffect(() => {
    if (!key) return
    const count = (by: number) => shown.set(key, (shown.get(key) ?? 0) + by)
    count(1)
    return () => void count(-1)
  }, [key])
}

/** Whether a page shows the transaction's progress, so that no toast is needed. */
export const isShown = (kept: StoredTransaction) => (shown.get(keyOf(kept)) ?? 0) > 0

/** Asks the wallet, and remembers each step before it is taken. */
async function run(
  core: WalletCore,
  review: Review,
  contracts: Contracts,
  purpose: string,
  begun: () => void,
) {
  const { account: wallet, intent } = review
  const base = { wallet, chainId: contracts.chainId, purpose, intent }
  const key = keyOf(base)
  let kept: StoredTransaction | undefined
  const ask = async () => {
    if (keptOf(key)?.stage === 'sent') return begun() // another tab was faster
    asking.add(key)
    try {
      await core.send(review, (step) => {
        kept = { ...kept, ...base, ...step, at: Date.now() }
        storeTransaction(kept)
        begun()
      })
    } catch (error) {
      asking.delete(key)
      const last = kept?.ask !== 'permit' && !isUnsent(error) ? kept : undefined
      if (last) return storeTransaction({ ...last, why: walletFault(error) }) // the chain will say
      // Nothing was sent: there is nothing to remember.
      deleteTransaction(key)
      throw error
    } finally {
      asking.delete(key)
    }
  }
  if (await exclusively(key, ask)) return
  throw new TransactionFault(messages.otherTab.title, messages.otherTab.hint)
}

// Other tabs change it: what decides whether the wallet is asked must not be old.
const keptOf = (key: string) => storedTransactions.latest().find((each) => keyOf(each) === key)

function stateOf(kept: StoredTransaction | undefined, key: string | undefined): TransactionState {
  if (!kept || !key) return { name: 'idle' }
  const { stage, ask, hash, resent = false, why, at } = kept
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

// The polling interval: short while the user waits, long until the block is final.
const soon = 1_500
const seldom = 12_000
// This long after a change the server's answers are read again with every look: it hears of the
// chain by itself, a little later than we do.
const settling = 20_000

/** Follows the pending transactions of this wallet, from whichever page. Layout calls this once. */
export function useFollowedTransactions() {
  const queries = useQueryClient()
  const wallet = useSession()?.walletAddress
  const open = useStoredValue(storedTransactions).some((each) => isOpen(each, wallet))
  useEffect(() => {
    if (!wallet || !open) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const round = async () => {
      await followAll(queries, wallet).catch(() => undefined) // the next round asks again
      if (ended) return
      const waits = openOf(wallet).some((each) => !isBlock(each.stage) || isFresh(each))
      timer = setTimeout(() => void round(), waits ? soon : seldom)
    }
    void round()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [queries, wallet, open])
}

const isBlock = (stage: StoredTransaction['stage']) => stage === 'included' || stage === 'final'
const isFresh = ({ at }: StoredTransaction) => Date.now() - at < settling

/** Whether the chain, or the server after it, may have something new to say of it. */
function isOpen(kept: StoredTransaction, wallet: string | undefined): boolean {
  if (kept.wallet.toLowerCase() !== wallet?.toLowerCase()) return false
  switch (kept.stage) {
    case 'wallet':
      return kept.ask !== 'permit' && !asking.has(keyOf(kept))
    case 'sent':
    case 'included':
      return true
    case 'final':
      return isFresh(kept)
    default:
      return false
  }
}

const openOf = (wallet: string) => storedTransactions.get().filter((each) => isOpen(each, wallet))

// What no transaction changes.
const lasting: readonly unknown[] = ['session', 'contracts', 'app-config', 'skills', 'places']

async function followAll(queries: QueryClient, wallet: string) {
  const core = await openWallet(queries)
  for (const each of openOf(wallet)) {
    // One that the node or the wallet cannot answer for keeps none of the others waiting.
    const next = each.stage === 'final' ? each : await core.look(each).catch(() => each)
    if (next !== each && isStill(each)) storeTransaction(next)
    if (isBlock(next.stage) && isFresh(next)) {
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => !lasting.includes(queryKey[0]),
      })
    }
  }
}

/** Whether it is unchanged: it may have been dismissed or requested again meanwhile. */
function isStill(kept: StoredTransaction): boolean {
  const now = keptOf(keyOf(kept))
  return now?.at === kept.at && now.stage === kept.stage
}
