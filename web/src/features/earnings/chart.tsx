import { useId } from 'react'
import { exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'
import type { Month } from './months'

const tall = { height: 220, below: 28, above: 26 }
// What a narrow screen has room for.
const few = { months: 6, width: 340 }
const many = { width: 720 }
const name = new Intl.DateTimeFormat('en', { month: 'short' })
const fullName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** What was earned month by month: as bars for those who see them, as a table for all. */
export function Chart({ months, symbol }: { months: Month[]; symbol: string }) {
  return (
    <figure>
      <Bars months={months} width={many.width} className="hidden sm:block" />
      <Bars months={months.slice(-few.months)} width={few.width} className="sm:hidden" />
      <details className="mt-3">
        <summary className="w-fit rounded text-[0.9375rem] font-medium text-accent underline-offset-4 hover:underline">
          As a table
        </summary>
        <Table months={months} symbol={symbol} />
      </details>
    </figure>
  )
}

interface BarsProps {
  months: Month[]
  /** Of the drawing, in its own units. */
  width: number
  className: string
}

function Bars({ months, width, className }: BarsProps) {
  const title = useId()
  const most = largest(months)
  const room = tall.height - tall.below - tall.above
  const slot = width / months.length
  const bar = Math.min(slot * 0.62, 56)
  const ground = tall.height - tall.below
  return (
    <svg
      viewBox={`0 0 ${width} ${tall.height}`}
      role="img"
      aria-labelledby={title}
      className={classNames('w-full', className)}
    >
      <title id={title}>{`Earned in each of the last ${months.length} months`}</title>
      <line x1="0" x2={width} y1={ground} y2={ground} className="stroke-line" />
      {months.map(({ start, earned }, i) => {
        const height = earned > 0n ? Math.max(3, share(earned, most) * room) : 0
        const middle = slot * (i + 0.5)
        return (
          <g key={start.toISOString()} fontSize="13" textAnchor="middle">
            <rect
              x={middle - bar / 2}
              y={ground - height}
              width={bar}
              height={height}
              rx="4"
              className="fill-accent"
            />
            {earned > 0n && (
              <text x={middle} y={ground - height - 8} className="figures fill-ink font-medium">
                {shortAmount(earned)}
              </text>
            )}
            <text x={middle} y={tall.height - 8} className="fill-ink-soft">
              {name.format(start)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function largest(months: Month[]): bigint {
  let most = 1n
  for (const { earned } of months) if (earned > most) most = earned
  return most
}

// Only the share becomes a number of limited digits: amounts keep all of theirs.
const share = (part: bigint, whole: bigint) => Number((part * 10_000n) / whole) / 10_000

function Table({ months, symbol }: { months: Month[]; symbol: string }) {
  return (
    <table className="figures mt-3 w-full max-w-md text-[0.9375rem]">
      <caption className="sr-only">Earned in each month</caption>
      <thead>
        <tr className="border-b border-line text-left text-ink-soft">
          <th scope="col" className="py-1.5 pr-4 font-normal">
            Month
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">
            Tasks
          </th>
          <th scope="col" className="py-1.5 text-right font-normal">
            {symbol}
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ start, earned, tasks }) => (
          <tr key={start.toISOString()} className="border-b border-line">
            <th scope="row" className="py-1.5 pr-4 text-left font-normal">
              {fullName.format(start)}
            </th>
            <td className="py-1.5 pr-4 text-right">{tasks}</td>
            <td className="py-1.5 text-right" title={exactAmount(earned)}>
              {shortAmount(earned)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
