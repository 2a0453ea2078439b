import { BadgeCheck, CalendarClock, Globe, MapPin } from 'lucide-react'
import type { BoardTask } from '@/api/board'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { Fact, Facts } from '@/ui/fact'
import { TaskHeading } from '@/ui/task-heading'
import { Time } from '@/ui/time'
import { UserLine } from '@/ui/user-text'

// More would push the facts out of sight.
const skillsShown = 4

interface Props {
  task: Omit<BoardTask, 'escrowAmount'>
  /** The amount that is shown, in wei, and what it is. */
  amount: bigint
  amountIs: string
  symbol: string
}

/** An open task in a list; the whole card leads to it. */
export function BoardCard({ task, amount, amountIs, symbol }: Props) {
  return (
    <li className="group relative flex flex-col gap-3 rounded-2xl border border-line bg-surface p-5 shadow-card transition-colors focus-within:border-accent hover:border-line-strong">
      <TaskHeading
        task={task}
        amount={amount}
        amountIs={amountIs}
        symbol={symbol}
        linkClass="after:absolute after:inset-0 after:rounded-2xl group-hover:underline"
      />
      <TaskFacts task={task} />
      {task.skills.length > 0 && (
        <ul aria-label={common.skills} className="flex flex-wrap gap-1.5">
          {task.skills.slice(0, skillsShown).map((skill) => (
            <li
              key={skill}
              className="max-w-full truncate rounded-full bg-sunken px-2.5 py-0.5 text-[0.8125rem] text-ink-soft"
            >
              {visible(skill)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function TaskFacts({ task }: Pick<Props, 'task'>) {
  return (
    <Facts className="text-[0.9375rem]">
      {task.agentIsVerified ? (
        <Fact icon={BadgeCheck} says={common.verifiedAgent}>
          {common.by(task.agentUsername)}
        </Fact>
      ) : (
        <Fact>{common.by(task.agentUsername)}</Fact>
      )}
      {task.remote && <Fact icon={Globe}>{common.remote}</Fact>}
      {task.location && (
        <Fact icon={MapPin}>
          <UserLine>{task.location}</UserLine>
        </Fact>
      )}
      {task.deadline && <Fact icon={CalendarClock}>{common.due(<Time at={task.deadline} />)}</Fact>}
    </Facts>
  )
}
