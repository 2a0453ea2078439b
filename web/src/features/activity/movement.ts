import type { Activity } from '@/api/activity'

const received: readonly Activity['kind'][] = [
  'payment_released',
  'stake_returned',
  'application_withdrawn',
]

const paid: readonly Activity['kind'][] = [
  'stake_locked',
  'stake_forfeited',
  'application_rejected',
]

/**
 * Returns the amount that an event moved to the signed-in human, negative if it moved or was lost from the human;
 * undefined if it moved nothing of the human's, such as a refund to the agent.
 */
export function movementOf({
  kind,
  amount,
}: Pick<Activity, 'kind' | 'amount'>): bigint | undefined {
  if (amount === undefined) return undefined
  if (received.includes(kind)) return amount
  return paid.includes(kind) ? -amount : undefined
}
