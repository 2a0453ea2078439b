import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'
import { UserLine } from '@/ui/user-text'
import { TokenAmount } from './token-amount'

interface Props {
  task: { id: string; title: string }
  /** The amount in wei. `amountIs` describes it, for example as the payout. */
  amount: bigint
  amountIs: string
  linkClass?: string
  /** Content below the title. */
  children?: ReactNode
}

/** The heading of a task's card: the title, which links to the task, and the amount. */
export function TaskHeading({ task, amount, amountIs, linkClass, children }: Props) {
  return (
    <div className="flex items-start justify-between gap-5">
      <div className="min-w-0">
        <h3 className="text-[1.0625rem] leading-snug font-semibold">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.id }}
            className={classNames(
              'no-underline decoration-line-strong underline-offset-4 hover:underline',
              linkClass,
            )}
          >
            <UserLine>{task.title}</UserLine>
          </Link>
        </h3>
        {children}
      </div>
      <div className="shrink-0 text-right">
        <TokenAmount wei={amount} className="block text-lg leading-tight font-semibold" />
        <span className="text-[0.8125rem] text-ink-soft">{amountIs}</span>
      </div>
    </div>
  )
}
