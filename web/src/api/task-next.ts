import { queryOptions } from '@tanstack/react-query'
import { getTaskNext } from './gen/sdk.gen'
import type {
  NextTurn,
  NextAction as WireAction,
  TaskRole as WireRole,
  TaskAction as WireTaskAction,
  TaskNext as WireTaskNext,
} from './gen/types.gen'
import type { Proposal } from './proposal'
import type { TaskStatus } from './task'
import { toDate, toDateIf } from './wire'

export type TaskAction = WireTaskAction
export type TaskRole = WireRole

/** Something that the reader can do with a task, now or from a time on. */
export interface Action {
  action: TaskAction
  /** When it becomes possible; absent when it is. */
  opensAt?: Date | undefined
  deadline?: Date | undefined
  /** The call, for what only the contract does. */
  proposal?: Proposal | undefined
}

function toAction({ action, opens_at, deadline, transaction }: WireAction): Action {
  return {
    action,
    opensAt: toDateIf(opens_at),
    deadline: toDateIf(deadline),
    proposal: transaction && {
      to: transaction.to,
      chainId: transaction.chain_id,
      value: transaction.value,
      data: transaction.data,
    },
  }
}

/** What time alone does to a task. */
export interface Turn {
  at: Date
  status: TaskStatus
  /** What the human is paid then, in wei. */
  payout: bigint
}

function toTurn(wire: NextTurn): Turn {
  const payout = wire.payments.find(
    (payment) => payment.to === 'human' && payment.kind === 'payout',
  )
  return { at: toDate(wire.at), status: wire.status, payout: BigInt(payout?.amount ?? '0') }
}

function toTaskNext(wire: WireTaskNext) {
  return {
    role: wire.role,
    actions: wire.actions.map(toAction),
    ifNobodyActs: {
      message: wire.if_nobody_acts.message,
      turns: wire.if_nobody_acts.turns.map(toTurn),
    },
  }
}

/** What happens to a task if no one acts, and the caller's role in it. */
export const taskNextQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id, 'next'],
    queryFn: async ({ signal }) => toTaskNext(await getTaskNext({ path: { id }, signal })),
  })
