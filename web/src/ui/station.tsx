import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface StationProps {
  icon: LucideIcon
  title: ReactNode
  text: string
  /** Whether the money is currently at this station. */
  lit?: boolean
  last?: boolean
  children?: ReactNode
}

/** One station on the money's path, in a list from the agent to the human. */
export function Station({
  icon: Icon,
  title,
  text,
  lit = false,
  last = false,
  children,
}: StationProps) {
  return (
    <li className="relative flex gap-4 pb-8 last:pb-0">
      {!last && (
        <span
          aria-hidden
          className="absolute top-11 bottom-0 left-[1.3125rem] border-l-2 border-dotted border-line-strong/70"
        />
      )}
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-2xl ${lit ? 'bg-accent text-accent-ink' : 'bg-sunken text-ink'}`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{title}</span>
        {children}
        <span className="w-full text-[0.9375rem] text-ink-soft">{text}</span>
      </span>
    </li>
  )
}
