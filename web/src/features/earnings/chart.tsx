import { useSymbol } from '@/api/contracts'
import { exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'
import { messages } from '@/messages/earnings'
import type { Month } from './months'

// The number of months that are shown on a narrow screen.
const few = 6
const name = new Intl.DateTimeFormat('en', { month: 'short' })
const fullName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** The earnings by month, as a bar chart and as a table. */
export function Chart({ months }: { months: Month[] }) {
  return (
    <figure>
      <Bars months={months} />
      <details className="mt-4">
        <summary className="w-fit rounded text-[0.9375rem] font-medium text-accent underline-offset-4 hover:underline">
          {messages.chart.asTable}
        </summary>
        <Table months={months} />
      </details>
    </figure>
  )
}

function Bars({ months }: { months: Month[] }) {
  const maximum = largest(months)
  return (
    <div
      role="img"
      aria-label={messages.chart.label}
      className="flex text-center text-xs text-ink-soft lg:text-sm"
    >
      {months.map(({ start, earned }, i) => (
        <div
          key={start.toISOString()}
          className={classNames('min-w-0 flex-1', i < months.length - few && 'max-sm:hidden')}
        >
          <div className="flex h-48 flex-col items-center justify-end border-b border-line">
            {earned > 0n && (
              <>
                <span translate="no" className="figures mb-1.5 font-medium text-ink">
                  {shortAmount(earned)}
                </span>
                <span
                  className="min-h-[3px] w-3/5 max-w-14 rounded-t-md bg-accent"
                  style={{ height: `${share(earned, maximum) * 84}%` }}
                />
              </>
            )}
          </div>
          <span className="mt-2 block">{name.format(start)}</span>
        </div>
      ))}
    </div>
  )
}

function largest(months: Month[]): bigint {
  let maximum = 1n
  for (const { earned } of months) if (earned > maximum) maximum = earned
  return maximum
}

// Only the ratio is converted to a number, so the amounts remain exact.
const share = (part: bigint, whole: bigint) => Number((part * 10_000n) / whole) / 10_000

function Table({ months }: { months: Month[] }) {
  const symbol = useSymbol()
  return (
    <table className="figures mt-3 w-full max-w-md text-[0.9375rem]">
      <caption className="sr-only">{messages.chart.caption}</caption>
      <thead>
        <tr className="border-b border-line text-left text-ink-soft">
          <th scope="col" className="py-1.5 pr-4 font-normal">
            {messages.chart.month}
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">
            {messages.chart.tasks}
          </th>
          <th scope="col" translate="no" className="py-1.5 text-right font-normal">
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
            <td translate="no" className="py-1.5 text-right" title={exactAmount(earned)}>
              {shortAmount(earned)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
