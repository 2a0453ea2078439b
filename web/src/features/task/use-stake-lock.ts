import type { Application } from '@/api/application'
import type { Task } from '@/api/task'
import { type Transaction, useTransaction } from '@/chain/transactions'
import { stakePurpose } from './stake-intents'

/**
 * Returns the transaction that locks the stake of the latest application. It ends with the decision
 * on the application, which also decides about the stake.
 */
export function useStakeLock(task: Task, application: Application | undefined): Transaction {
  const isOpen = application ? ['new', 'pending'].includes(application.status) : !task.hasApplied
  return useTransaction(stakePurpose(task), !isOpen)
}
