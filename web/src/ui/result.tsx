import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '@/lib/class-names'
import { show } from '@/lib/show'

interface Props {
  /** Whether the user has just caused it. */
  isNew: boolean
  className?: string
  children: ReactNode
}

/**
 * The result of a form that it has replaced. A new one scrolls into view and takes the focus, unless the
 * user has moved it elsewhere.
 */
export function Result({ isNew, className, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The form's focus is lost, or has moved to what contains the result.
    if (isNew && box.current && document.activeElement?.contains(box.current)) show(box.current)
  }, [isNew])
  return (
    <div
      ref={box}
      role={isNew ? 'status' : undefined}
      className={classNames('outline-none', className)}
    >
      {children}
    </div>
  )
}
