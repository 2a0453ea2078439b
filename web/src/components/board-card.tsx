import { BadgeCheck, CalendarClock, Globe, MapPin } from 'lucide-react'
import type { BoardTask } from '@/api/board'
import { common } from '@/messages/common'
import { Fact, Facts } from '@/ui/fact'
import { PersonName } from '@/ui/person-name'
import { Skills } from '@/ui/skills'
import { Time } from '@/ui/time'
import { UserLine } from '@/ui/user-text'
import { TaskHeading } from './task-heading'

// The maximum number of skills on a card; more would push the other facts out of view.
const skillsShown = 4

interface Props {
  task: Omit<BoardTask, 'escrowAmount'>
  /** The amount in wei. `amountIs` describes it, for example as the payout. */
  amount: bigint
  amountIs: string
}

/** An open task in a list. The whole card links to the task. */
export function BoardCard({ task, amount, amountIs }: Props) {
  return (
    <li className="group relative flex flex-col gap-3 rounded-2xl border border-line bg-surface p-5 shadow-card transition-colors focus-within:border-accent hover:border-line-strong">
      <TaskHeading
        task={task}
        amount={amount}
        amountIs={amountIs}
        linkClass="after:absolute after:inset-0 after:rounded-2xl group-hover:underline"
      />
      <TaskFacts task={task} />
      {task.skills.length > 0 && <Skills skills={task.skills.slice(0, skillsShown)} small />}
    </li>
  )
}

function TaskFacts({ task }: Pick<Props, 'task'>) {
  const by = common.by(<PersonName name={task.agentName} username={task.agentUsername} />)
  return (
    <Facts className="text-[0.9375rem]">
      {task.agentIsVerified ? (
        <Fact icon={BadgeCheck} label={common.verifiedAgent}>
          {by}
        </Fact>
      ) : (
        <Fact>{by}</Fact>
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
