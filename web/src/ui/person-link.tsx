import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'

interface Props {
  type: string
  username: string
  className?: string
  children?: ReactNode
}

/** Links to a user's public profile. */
export function PersonLink({ type, username, className, children }: Props) {
  return (
    <Link
      to={type === 'agent' ? '/agents/$username' : '/humans/$username'}
      params={{ username }}
      className={classNames('underline decoration-line-strong underline-offset-4', className)}
    >
      {children ?? <span translate="no">{`@${username}`}</span>}
    </Link>
  )
}
