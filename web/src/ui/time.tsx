import { useNow } from '@/lib/now'
import { exactTime, fromNow, localDay, localTime } from '@/lib/time'

interface Props {
  at: Date
  /**
   * `relative`: the distance from now; `day`: the day; `both`: the exact minute and the distance.
   */
  show?: 'relative' | 'day' | 'both'
}

/** An instant in the reader's time zone, exact on hover. It is updated with the clock. */
export function Time({ at, show = 'relative' }: Props) {
  const now = useNow()
  const text = {
    relative: () => fromNow(at, now),
    day: () => localDay(at, now),
    both: () => `${localTime(at, now)} (${fromNow(at, now)})`,
  }[show]()
  return (
    <time dateTime={at.toISOString()} title={exactTime(at)}>
      {text}
    </time>
  )
}
