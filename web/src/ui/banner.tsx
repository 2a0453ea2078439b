import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

const tones: Record<string, { className: string; icon: LucideIcon }> = {
  info: { className: 'bg-accent-wash text-ink', icon: Info },
  wait: { className: 'bg-wait-wash text-ink', icon: TriangleAlert },
  bad: { className: 'bg-bad-wash text-ink', icon: CircleAlert },
}

interface Props {
  tone?: 'info' | 'wait' | 'bad'
  title: string
  children?: ReactNode
  /** A button or link that leads to the next step. */
  action?: ReactNode
}

/** A notice that screen readers announce when it appears. */
export function Banner({ tone = 'info', title, children, action }: Props) {
  const { className, icon: Icon } = tones[tone] ?? { className: '', icon: Info }
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl px-5 py-4',
        className,
      )}
    >
      <div className="flex min-w-48 flex-1 gap-4">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 opacity-80" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{title}</p>
          {children && <div className="text-[0.9375rem] text-ink-soft">{children}</div>}
        </div>
      </div>
      {action && <div className="max-xs:w-full max-xs:pl-9">{action}</div>}
    </div>
  )
}
