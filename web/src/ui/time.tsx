import { useNow } from '@/lib/now'
import { exactTime, fromNow, localDay, localTime } from '@/lib/time'

interface Props {
  at: Date
  /**
   * `relative`: the distance from now; `day`: the date; `both`: date and time with the distance
   * from now.
   */
  show?: 'relative' | 'day' | 'both'
  /** Whether it is the time of an event that has happened, which is never shown as in the future. */
  happened?: boolean
}

/**
 * An instant in the browser's time zone, with the exact time on hover. It is updated as time
 * passes.
 */
export function Time({ at, show = 'relative', happened = false }: Props) {
  const now = useNow()
  const text = {
    relative: () => fromNow(at, now, happened),
    day: () => localDay(at, now),
    both: () => `${localTime(at, now)} (${fromNow(at, now, happened)})`,
  }[show]()
  return (
    <time dateTime={at.toISOString()} title={exactTime(at)}>
      {text}
    </time>
  )
}
