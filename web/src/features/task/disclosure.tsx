import type { ReactNode } from 'react'

/** A rarely needed action. Clicking its title shows a description and the button. */
export function Disclosure({
  title,
  text,
  children,
}: Record<'title' | 'text', string> & { children: ReactNode }) {
  return (
    <details className="rounded-2xl border border-line px-6 py-4 text-[0.9375rem]">
      <summary className="font-medium">{title}</summary>
      <p className="mt-2 mb-3 text-ink-soft">{text}</p>
      {children}
    </details>
  )
}
