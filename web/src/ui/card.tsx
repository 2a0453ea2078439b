import type { ComponentProps } from 'react'
import { classNames } from '@/lib/class-names'

/** A surface that lies on the page. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classNames('rounded-2xl border border-line bg-surface shadow-card', className)}
    />
  )
}
