import { createElement, type ReactNode, useRef } from 'react'
import type { Dispute } from '@/api/dispute'
import { common } from '@/messages/common'
import { Result } from '@/ui/result'
import { UserText } from '@/ui/user-text'

interface Props {
  dispute: Dispute
  /** Whether the signed-in user is the task's human. */
  mine?: boolean
  /** The level of the headings. */
  level?: 3 | 4
  /** Shown if the other party has not answered. */
  children?: ReactNode
}

/** The statements of both parties to a dispute. */
export function BothSides({ dispute, mine = false, level = 3, children }: Props) {
  const { filedBy, reason, response } = dispute
  const other = filedBy === 'agent' ? 'human' : 'agent'
  const hadResponse = useRef(Boolean(response))
  const isOwn = (side: Dispute['filedBy']) => mine && side === 'human'
  return (
    <div className="grid gap-5">
      <Words of={isOwn(filedBy) ? common.yourStatement : common.statement[filedBy]} level={level}>
        {reason ? (
          <UserText>{reason}</UserText>
        ) : (
          <p className="text-ink-soft">{common.noStatement}</p>
        )}
      </Words>
      {response ? (
        <Words
          isNew={isOwn(other) && !hadResponse.current}
          of={isOwn(other) ? common.yourAnswer : common.answer[other]}
          level={level}
        >
          <UserText>{response}</UserText>
        </Words>
      ) : (
        children
      )}
    </div>
  )
}

interface WordsProps {
  of: string
  level: 3 | 4
  /** Whether the user has just sent them. */
  isNew?: boolean
  children: ReactNode
}

function Words({ of, level, isNew = false, children }: WordsProps) {
  return (
    <Result isNew={isNew} className="scroll-my-6">
      {createElement(`h${level}`, { className: 'mb-1 text-[0.9375rem] text-ink-soft' }, of)}
      <div className="border-l-2 border-line-strong/60 pl-4">{children}</div>
    </Result>
  )
}
