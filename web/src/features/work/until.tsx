import { useNow } from '@/lib/now'
import { Countdown } from '@/ui/countdown'
import type { Step } from './step'

/** The time that a step has left, in its sentence; `over` in place of both once it is over. */
export function Until({ until }: { until: NonNullable<Step['until']> }) {
  const isOver = until.at <= useNow()
  return (
    <>
      {!isOver && until.before} <Countdown at={until.at} over={until.over} />{' '}
      {!isOver && until.after}
    </>
  )
}
