import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

interface Props {
  /** Content to be read first: beside the main content, or above it on narrow screens. */
  first?: ReactNode
  /** Additional content: beside the main content, or below it on narrow screens. */
  beside?: ReactNode
  children: ReactNode
}

const side = 'grid gap-6 lg:col-start-2'

/** A two-column page layout. */
export function Columns({ first, beside, children }: Props) {
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      {first && <div className={side}>{first}</div>}
      <div className="grid min-w-0 gap-8 max-lg:my-2 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        {children}
      </div>
      {beside && (
        <div
          className={classNames(
            side,
            first ? 'lg:row-start-2' : 'lg:sticky lg:top-24 lg:row-start-1',
          )}
        >
          {beside}
        </div>
      )}
    </div>
  )
}
