import { Link } from '@tanstack/react-router'
import { BadgeCheck, CalendarClock, Globe, MapPin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BoardTask } from '@/api/board'
import { visible } from '@/lib/user-text'
import { Amount } from './amount'
import { Time } from './time'
import { UserLine } from './user-text'

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
      <div className="flex items-start justify-between gap-5">
        <h3 className="min-w-0 text-[1.0625rem] leading-snug font-semibold">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.id }}
            className="no-underline after:absolute after:inset-0 after:rounded-2xl group-hover:underline underline-offset-4 decoration-line-strong"
          >
            <UserLine>{task.title}</UserLine>
          </Link>
        </h3>
        <div className="shrink-0 text-right">
          <Amount
            wei={amount}
            symbol={symbol}
            className="block text-lg leading-tight font-semibold"
          />
          <span className="text-[0.8125rem] text-ink-soft">{amountIs}</span>
        </div>
      </div>
      <Facts task={task} />
      {task.skills.length > 0 && (
        <ul aria-label="Skills" className="flex flex-wrap gap-1.5">
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

function Facts({ task }: Pick<Props, 'task'>) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem] text-ink-soft">
      <Fact
        icon={
          task.agentIsVerified && (
            <BadgeCheck aria-label="Verified agent" className="size-4 text-accent" />
          )
        }
      >
        by {task.agentUsername}
      </Fact>
      {task.remote && <Fact icon={<Globe aria-hidden className="size-4" />}>From anywhere</Fact>}
      {task.location && (
        <Fact icon={<MapPin aria-hidden className="size-4" />}>
          <UserLine>{task.location}</UserLine>
        </Fact>
      )}
      {task.deadline && (
        <Fact icon={<CalendarClock aria-hidden className="size-4" />}>
          <span>
            due <Time at={task.deadline} />
          </span>
        </Fact>
      )}
    </ul>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      {icon}
      {children}
    </li>
  )
}
