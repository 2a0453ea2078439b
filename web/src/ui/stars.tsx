import { Star } from 'lucide-react'
import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

const five = [1, 2, 3, 4, 5]

/** A rating of 1 to 5 stars; fractions are rounded to whole stars. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span role="img" aria-label={common.stars(rating)} className="inline-flex gap-0.5">
      {five.map((each) => (
        <Star
          key={each}
          aria-hidden
          className={classNames(
            'size-4',
            each <= Math.round(rating) ? 'fill-wait text-wait' : 'text-line-strong',
          )}
        />
      ))}
    </span>
  )
}
