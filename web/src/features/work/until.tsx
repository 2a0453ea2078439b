import { useNow } from '@/lib/now'
import { Countdown } from '@/ui/countdown'
import type { Step } from './step'

/** The remaining time of a step as a sentence, which `over` replaces at the end. */
export function Until({ until }: { until: NonNullable<Step['until']> }) {
  const isOver = until.at <= useNow()
  return (
    <>
      {!isOver && until.before} <Countdown at={until.at} over={until.over} />{' '}
      {!isOver && until.after}
    </>
  )
}
