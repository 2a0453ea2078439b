import { type ReactNode, useEffect } from 'react'

interface Props {
  /** Names the page in the browser's tab, too. */
  title: string
  intro?: ReactNode
  /** Beside the heading: where else one goes from here. */
  action?: ReactNode
  children: ReactNode
}

/** A page with its one heading. */
export function Page({ title, intro, action, children }: Props) {
  useTitle(title)
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6 sm:py-14">
      <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="max-w-2xl">
          <h1 className="text-3xl font-semibold sm:text-4xl">{title}</h1>
          {intro && <p className="mt-3 text-lg text-ink-soft">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}

/** Names the page in the browser's tab while it is shown. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title === appName ? appName : `${title} · ${appName}`
  }, [title])
}

export const appName = 'Task Market'
