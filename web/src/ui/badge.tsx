import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

const tones = {
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  wait: 'bg-wait-wash text-wait',
  bad: 'bg-bad-wash text-bad',
  plain: 'bg-sunken text-ink-soft',
}

export type Tone = keyof typeof tones

/** A label with a colour and an icon. The text alone is sufficient to understand it. */
export function Badge({
  tone,
  icon: Icon,
  children,
}: {
  tone: Tone
  icon: LucideIcon
  children: ReactNode
}) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {children}
    </span>
  )
}
