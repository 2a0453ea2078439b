import type { ReactNode } from 'react'

interface Props {
  term: string
  children: ReactNode
}

/** A number and its label, in a description list. */
export function Figure({ term, children }: Props) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-sm text-ink-soft">{term}</dt>
      <dd className="figures text-lg font-semibold tracking-tight">{children}</dd>
    </div>
  )
}
