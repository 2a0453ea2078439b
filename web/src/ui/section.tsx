import { type ComponentProps, createElement, type ReactNode, useId } from 'react'

export interface SectionProps extends ComponentProps<'section'> {
  heading?: ReactNode
  /** The level of the heading. */
  level?: 2 | 3 | 4
  headingClass?: string
}

/** A section of a page, labelled by its heading. */
export function Section({
  heading,
  level = 2,
  headingClass = 'mb-3 text-xl font-semibold',
  children,
  ...rest
}: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={heading ? id : undefined} {...rest}>
      {heading && createElement(`h${level}`, { id, className: headingClass }, heading)}
      {children}
    </section>
  )
}
