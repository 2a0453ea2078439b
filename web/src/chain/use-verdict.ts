import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '@/api/error'
import type { Task } from '@/api/task'
import { type Decision, submitVerdict, type Validation } from '@/api/validation'
import { type Fault, isRejection, type Obstacle, WalletMismatch, walletFault } from './errors'
import { obstacle, removeObstacle } from './obstacle'
import { makeVerdictReview, type VerdictReview } from './verdict-review'
import { openWallet } from './wallet'
import type { WalletCore } from './wallet-core'

export type VerdictState =
  | { name: 'idle' }
  | { name: 'checking' }
  | { name: 'blocked'; by: Obstacle; busy: boolean; fault?: Fault | undefined }
  | { name: 'review'; review: VerdictReview }
  /** The wallet asks. */
  | { name: 'wallet' }
  /** It is signed, and on its way to the server. */
  | { name: 'sending' }
  /** The user cancelled in the wallet. */
  | { name: 'declined'; review: VerdictReview }
  /** `signed`: only the server's answer is missing, and the next try asks for no signature. */
  | { name: 'failed'; fault: Fault; signed: boolean }

/** Giving a verdict: checked, looked at, signed in the wallet, handed in. */
export interface VerdictSubmission {
  state: VerdictState
  /** Checks a verdict and shows what would be signed. */
  begin(decision: Decision): void
  /** Goes on from there: the wallet is asked. */
  confirm(): void
  /** Tries again, after a no or a failure. */
  again(): void
  /** Takes the obstacle away, network or wallet, then goes on. */
  unblock(): void
  /** Back to the form. */
  dismiss(): void
}

/** Gives a validator's verdict on the shown task. `on` receives the outcome. */
export function useVerdict(
  shown: { task: Task; validation: Validation },
  wallet: string,
  on: { submitted(): void; rejected(fault: Fault): void },
): VerdictSubmission {
  const queries = useQueryClient()
  const [state, setState] = useState<VerdictState>({ name: 'idle' })
  const decision = useRef<Decision>(undefined)
  const signed = useRef<{ review: VerdictReview; signature: string }>(undefined)
  const { id } = shown.task

  const fail = (error: unknown, review?: VerdictReview) => {
    if (review && isRejection(error)) return setState({ name: 'declined', review })
    const isTransient = error instanceof ApiError && error.transient
    if (!isTransient) signed.current = undefined
    setState({ name: 'failed', fault: walletFault(error), signed: signed.current !== undefined })
    // What the server refuses, it refuses for what it is now.
    if (!(error instanceof ApiError) || isTransient) return
    on.rejected(walletFault(error))
    void readAgain(queries, id)
  }

  const check = async (last: Decision) => {
    setState({ name: 'checking' })
    try {
      const review = await makeVerdictReview(queries, shown, last)
      const core = await openWallet(queries)
      const by = await obstacle(core, wallet, { chainId: review.chain.id })
      setState(by ? { name: 'blocked', by, busy: false } : { name: 'review', review })
    } catch (error) {
      fail(error)
    }
  }

  const submit = async () => {
    if (!signed.current) return
    const { review, signature } = signed.current
    setState({ name: 'sending' })
    try {
      await submitVerdict(id, review.decision, signature)
      on.submitted()
      await readAgain(queries, id)
      setState({ name: 'idle' })
    } catch (error) {
      fail(error)
    }
  }

  const confirm = async (review: VerdictReview) => {
    setState({ name: 'wallet' })
    try {
      const core = await openWallet(queries)
      const by = await obstacle(core, wallet, { chainId: review.chain.id })
      if (by) return setState({ name: 'blocked', by, busy: false })
      signed.current = { review, signature: await core.signVerdict(wallet, review.verdict) }
    } catch (error) {
      if (error instanceof WalletMismatch)
        return setState({ name: 'blocked', by: error.by, busy: false })
      return fail(error, review)
    }
    await submit()
  }

  const unblock = async (core: Promise<WalletCore>, by: Obstacle) => {
    setState({ name: 'blocked', by, busy: true })
    try {
      await removeObstacle(await core, by)
      if (decision.current) await check(decision.current)
    } catch (error) {
      setState({ name: 'blocked', by, busy: false, fault: walletFault(error) })
    }
  }

  return {
    state,
    begin(next) {
      decision.current = next
      signed.current = undefined
      void check(next)
    },
    confirm: () => state.name === 'review' && void confirm(state.review),
    again() {
      if (state.name === 'declined') setState({ name: 'review', review: state.review })
      else if (signed.current) void submit()
      else if (decision.current) void check(decision.current)
    },
    unblock: () => state.name === 'blocked' && void unblock(openWallet(queries), state.by),
    dismiss() {
      signed.current = undefined
      setState({ name: 'idle' })
    },
  }
}

/** Reads what a verdict changes. */
const readAgain = (queries: QueryClient, taskId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['validations'] }),
    queries.invalidateQueries({ queryKey: ['task', taskId] }),
  ])
