import { exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'

interface Props {
  wei: bigint
  symbol: string
  className?: string
  /** Shows all digits: for amounts that the user signs. */
  exact?: boolean
}

/** An amount of the token: short to read, exact on hover and for programs. */
export function Amount({ wei, symbol, className, exact = false }: Props) {
  const all = exactAmount(wei)
  return (
    <data
      value={all}
      title={`${all} ${symbol}`}
      className={classNames('figures whitespace-nowrap', className)}
    >
      {exact ? all : shortAmount(wei)} <span className="text-[0.78em] font-medium">{symbol}</span>
    </data>
  )
}
