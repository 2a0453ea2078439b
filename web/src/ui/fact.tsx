import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

/** What is known of something, each in a few words, on as few lines as there is room for. */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <ul className={classNames('flex flex-wrap gap-x-5 gap-y-1.5 text-ink-soft', className)}>
      {children}
    </ul>
  )
}

interface Props {
  icon?: LucideIcon | undefined
  /** What the icon says; without it it only adorns. */
  says?: string
  children: ReactNode
}

export function Fact({ icon: Icon, says, children }: Props) {
  return (
    <li className="inline-flex min-w-0 items-center gap-1.5">
      {Icon && (
        <Icon
          {...(says ? { 'aria-label': says } : { 'aria-hidden': true })}
          className={classNames('size-4 shrink-0', says && 'text-accent')}
        />
      )}
      <span className="min-w-0">{children}</span>
    </li>
  )
}
