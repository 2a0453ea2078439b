import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { classNames } from '@/lib/class-names'
import { type WorkPart, workParts } from '@/lib/work-params'
import { messages } from '@/messages/work'
import { partOf } from './entries'
import type { Planned } from './use-entries'

interface Props {
  plan: Planned[]
  current: WorkPart
  /** Whether some pages have not been loaded, so that the counts are lower bounds. */
  atLeast: boolean
}

/** The page's sections with their counts. They are links, so each section has a URL. */
export function Parts({ plan, current, atLeast }: Props) {
  const list = useRef<HTMLElement>(null)
  // On a small screen the list scrolls horizontally; this scrolls the current section to its
  // centre.
  useEffect(() => {
    const box = list.current
    const link = box?.querySelector<HTMLElement>(`[data-part="${current}"]`)
    if (box && link) box.scrollLeft = link.offsetLeft - (box.clientWidth - link.offsetWidth) / 2
  }, [current])
  return (
    <nav
      ref={list}
      aria-label={messages.parts}
      className="relative -mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {workParts.map((part) => {
          const count = plan.filter(({ entry }) => partOf(entry) === part).length
          return (
            <li key={part}>
              <Link
                data-part={part}
                to="/work"
                search={{ part }}
                replace
                resetScroll={false}
                aria-current={part === current ? 'page' : undefined}
                className={classNames(
                  '-mb-px inline-flex items-center gap-2 border-b-2 px-3 py-2.5 text-[0.9375rem] whitespace-nowrap no-underline sm:px-4',
                  part === current
                    ? 'border-accent font-medium text-ink'
                    : 'border-transparent text-ink-soft hover:text-ink',
                )}
              >
                {messages.part[part]}
                {count > 0 && (
                  <span className="figures min-w-6 rounded-full bg-sunken px-1.5 text-center text-[0.8125rem] text-ink-soft">
                    {count}
                    {atLeast && '+'}
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
