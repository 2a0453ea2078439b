import type { Task } from '@/api/task'
import { common } from '@/messages/common'
import { TokenAmount } from './token-amount'

interface Props {
  task: Pick<Task, 'stakeAmount'>
  /** `apply`: the button locks the stake; `work`: it makes validators decide about the work. */
  by: 'apply' | 'work'
}

/** Explains what the user can lose through an action. Shown next to the action's button. */
export function StakeRisk({ task, by }: Props) {
  return <>{common.risk[by](<TokenAmount wei={task.stakeAmount} />)}</>
}
