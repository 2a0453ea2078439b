import { Timer } from 'lucide-react'
import { useNow } from '@/lib/now'
import { exactTime, timeLeft } from '@/lib/time'

/**
 * The time left until an instant, with the exact time on hover. `over` is shown once it has passed.
 */
export function Countdown({ at, over }: { at: Date; over: string }) {
  const left = timeLeft(at, useNow())
  return (
    <time
      dateTime={at.toISOString()}
      title={exactTime(at)}
      className="figures inline-flex items-center gap-1.5 whitespace-nowrap"
    >
      <Timer aria-hidden className="size-4" />
      {left ?? over}
    </time>
  )
}
