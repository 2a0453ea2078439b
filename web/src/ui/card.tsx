import type { ComponentProps } from 'react'
import { classNames } from '@/lib/class-names'

const tones = {
  plain: 'border-line bg-surface',
  /** For what the reader should do before everything else. */
  accent: 'border-accent/40 bg-accent-wash',
}

interface Props extends ComponentProps<'section'> {
  tone?: keyof typeof tones
}

/** A surface that lies on the page. */
export function Card({ tone = 'plain', className, ...rest }: Props) {
  return (
    <section
      {...rest}
      className={classNames('rounded-2xl border shadow-card', tones[tone], className)}
    />
  )
}
