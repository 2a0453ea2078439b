import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { common } from '@/messages/common'
import { Amount } from '@/ui/amount'

interface Props {
  task: Pick<Task, 'stakeAmount'>
  /** `apply`: the button locks the stake; `work`: it has validators decide about the work. */
  by: 'apply' | 'work'
}

/** What the reader can lose by what a button begins. Stands next to the button. */
export function StakeRisk({ task, by }: Props) {
  const symbol = useContracts()?.token.symbol ?? ''
  const stake = <Amount wei={task.stakeAmount} symbol={symbol} />
  if (by === 'apply') {
    return common.riskOfApplying(stake)
  }
  return common.riskOfWork(stake)
}
