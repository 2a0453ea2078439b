import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  icon: LucideIcon
  title: string
  children?: ReactNode
  /** A button or link that leads to the next step. */
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line-strong/60 px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-2xl bg-sunken text-ink-soft">
        <Icon aria-hidden className="size-6" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="max-w-md text-ink-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
