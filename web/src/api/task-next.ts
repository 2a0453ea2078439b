import { queryOptions } from '@tanstack/react-query'
import { getTaskNext } from './gen/sdk.gen'
import type { NextTurn, TaskNext as WireTaskNext } from './gen/types.gen'
import type { TaskStatus } from './task'
import { toDate } from './wire'

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
    ifNobodyActs: {
      message: wire.if_nobody_acts.message,
      turns: wire.if_nobody_acts.turns.map(toTurn),
    },
  }
}

/** What becomes of a task if nobody acts, and what the caller is to it. */
export const taskNextQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id, 'next'],
    queryFn: async ({ signal }) => toTaskNext(await getTaskNext({ path: { id }, signal })),
  })
