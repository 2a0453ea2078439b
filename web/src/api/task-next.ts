import { queryOptions } from '@tanstack/react-query'
import { getTaskNext } from './gen/sdk.gen'
import type { NextAction, NextTurn, TaskAction, TaskNext } from './gen/types.gen'
import { type Proposal, toProposal } from './proposal'
import { toDate } from './wire'

const toDateIf = (text: string | undefined) => (text === undefined ? undefined : toDate(text))

/** An action that the signed-in user can take on a task, now or later. */
export interface Action {
  action: TaskAction
  /** The time from which the action is possible; absent if it is already possible. */
  opensAt?: Date | undefined
  /** The time until which the action is possible; absent if no end is known. */
  deadline?: Date | undefined
  /** The proposed transaction, if the action consists only of a contract call. */
  proposal?: Proposal | undefined
}

export const toAction = ({ action, opens_at, deadline, transaction }: NextAction): Action => ({
  action,
  opensAt: toDateIf(opens_at),
  deadline: toDateIf(deadline),
  proposal: transaction && toProposal(transaction, transaction.data),
})

/**
 * A status change that happens by passage of time only. `payout` is the human's payment, in wei.
 */
export type TimedChange = ReturnType<typeof toTimedChange>

function toTimedChange({ at, status, payments }: NextTurn) {
  const payout = payments.find(({ to, kind }) => to === 'human' && kind === 'payout')
  return { at: toDate(at), status, payout: BigInt(payout?.amount ?? '0') }
}

const toTaskNext = ({ role, actions, if_nobody_acts }: TaskNext) => ({
  role,
  actions: actions.map(toAction),
  withoutAction: {
    message: if_nobody_acts.message,
    changes: if_nobody_acts.turns.map(toTimedChange),
  },
})

/**
 * The caller's role in a task, the possible actions, and the status changes that happen by passage
 * of time.
 */
export const taskNextQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id, 'next'],
    queryFn: async ({ signal }) => toTaskNext(await getTaskNext({ path: { id }, signal })),
  })
