import { type ReactNode, useEffect } from 'react'
import { common } from '@/messages/common'

interface FrameProps {
  /** The page's title, also used for the browser tab. */
  title: string
  children: ReactNode
}

/** A page with a custom header. */
export function PageFrame({ title, children }: FrameProps) {
  useTitle(title)
  return <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6 sm:py-14">{children}</div>
}

interface Props extends FrameProps {
  /** Whether the title is a user's name, which browsers must not translate. */
  isName?: boolean | undefined
  intro?: ReactNode
  /** A link or button shown beside the heading. */
  action?: ReactNode
}

/** A page with a standard heading. */
export function Page({ title, isName = false, intro, action, children }: Props) {
  return (
    <PageFrame title={title}>
      <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="max-w-2xl">
          <h1 translate={isName ? 'no' : undefined} className={headingClass}>
            {title}
          </h1>
          {intro && <p className="mt-3 text-lg text-ink-soft">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </PageFrame>
  )
}

/** The class names for a page's heading. */
export const headingClass = 'text-3xl font-semibold [overflow-wrap:anywhere] sm:text-4xl'

/** Sets the title of the browser tab. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title === common.appName ? title : `${title} · ${common.appName}`
  }, [title])
}
