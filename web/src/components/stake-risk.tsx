import type { Task } from '@/api/task'
import { common } from '@/messages/common'
import { TokenAmount } from './token-amount'

interface Props {
  task: Pick<Task, 'stakeAmount'>
  /** `apply`: the button locks the stake; `work`: it makes validators decide about the work. */
  by: 'apply' | 'work'
}

/** What the reader can lose by an action. Shown next to its button. */
export function StakeRisk({ task, by }: Props) {
  return common.risk[by](<TokenAmount wei={task.stakeAmount} />)
}
