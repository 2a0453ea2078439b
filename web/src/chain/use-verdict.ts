import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '@/api/error'
import type { Task } from '@/api/task'
import { type Decision, submitVerdict, type Validation } from '@/api/validation'
import { type Fault, isRejection, type Obstacle, WalletMismatch, walletFault } from './errors'
import { obstacleOf, removeObstacle } from './obstacle'
import { makeVerdictReview, type VerdictReview } from './verdict-review'
import { openWallet } from './wallet'
import type { WalletCore } from './wallet-core'

export type VerdictState =
  | { name: 'idle' }
  | { name: 'checking' }
  | { name: 'blocked'; by: Obstacle; busy: boolean; fault?: Fault | undefined }
  | { name: 'review'; review: VerdictReview }
  /** The wallet shows the request. */
  | { name: 'wallet' }
  /** The verdict is signed and is being sent to the server. */
  | { name: 'sending' }
  /** The user cancelled in the wallet. */
  | { name: 'declined'; review: VerdictReview }
  /** `signed`: only the server's response is missing, so a retry needs no new signature. */
  | { name: 'failed'; fault: Fault; signed: boolean }

/** The steps for submitting a verdict: check, review, signature and request. */
export interface VerdictSubmission {
  state: VerdictState
  /** Checks a verdict and shows it for review. */
  begin(decision: Decision): void
  /** Confirms the review and sends the request to the wallet. */
  confirm(): void
  /** Retries after a rejection or a failure. */
  again(): void
  /** Corrects the wallet's account or chain, then continues. */
  unblock(): void
  /** Returns to the form. */
  dismiss(): void
}

/**
 * Submits a validator's verdict on the displayed task. `on` contains the callbacks for the outcome.
 */
export function useVerdict(
  reviewed: { task: Task; validation: Validation },
  wallet: string,
  on: { submitted(): void; rejected(fault: Fault): void },
): VerdictSubmission {
  const queries = useQueryClient()
  const [state, setState] = useState<VerdictState>({ name: 'idle' })
  const decision = useRef<Decision>(undefined)
  const signed = useRef<{ review: VerdictReview; signature: string }>(undefined)
  const { id } = reviewed.task

  const fail = (error: unknown, review?: VerdictReview) => {
    if (review && isRejection(error)) return setState({ name: 'declined', review })
    const isTransient = error instanceof ApiError && error.transient
    if (!isTransient) signed.current = undefined
    setState({ name: 'failed', fault: walletFault(error), signed: signed.current !== undefined })
    // The server rejected the verdict, so the displayed data may be outdated.
    if (!(error instanceof ApiError) || isTransient) return
    on.rejected(walletFault(error))
    void refetchAfterVerdict(queries, id)
  }

  const check = async (last: Decision) => {
    setState({ name: 'checking' })
    try {
      const review = await makeVerdictReview(queries, reviewed, last)
      const core = await openWallet(queries)
      const by = await obstacleOf(core, wallet, { chainId: review.chain.id })
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
      await refetchAfterVerdict(queries, id)
      setState({ name: 'idle' })
    } catch (error) {
      fail(error)
    }
  }

  const confirm = async (review: VerdictReview) => {
    setState({ name: 'wallet' })
    try {
      const core = await openWallet(queries)
      const by = await obstacleOf(core, wallet, { chainId: review.chain.id })
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

/**
 * Refetches the data that a verdict changes. The task's actions come last: without the verdict in the queue, they
 * show that no vote is possible.
 */
async function refetchAfterVerdict(queries: QueryClient, taskId: string) {
  await queries.invalidateQueries({ queryKey: ['validations'] })
  await queries.invalidateQueries({ queryKey: ['task', taskId] })
}
