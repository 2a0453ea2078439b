import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

/** A list of short facts that wraps onto as few lines as possible. */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <ul className={classNames('flex flex-wrap gap-x-5 gap-y-1.5 text-ink-soft', className)}>
      {children}
    </ul>
  )
}

interface Props {
  icon?: LucideIcon | undefined
  /** The meaning of the icon; absent if the icon is decorative. */
  label?: string
  children: ReactNode
}

export function Fact({ icon: Icon, label, children }: Props) {
  return (
    <li className="inline-flex min-w-0 items-center gap-1.5">
      {Icon && (
        <Icon
          {...(label ? { 'aria-label': label } : { 'aria-hidden': true })}
          className={classNames('size-4 shrink-0', label && 'text-accent')}
        />
      )}
      <span className="min-w-0">{children}</span>
    </li>
  )
}
