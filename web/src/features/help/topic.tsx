import type { ReactNode } from 'react'

export function Topic({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-2xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <dl className="max-w-3xl divide-y divide-line border-y border-line">{children}</dl>
}

export function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-0.5 py-3.5 sm:grid-cols-[13rem_1fr]">
      <dt className="font-medium">{term}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  )
}
