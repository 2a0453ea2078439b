import { exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'

interface Props {
  wei: bigint
  symbol: string
  className?: string
}

/** An amount of the token: short to read, exact on hover and for programs. */
export function Amount({ wei, symbol, className }: Props) {
  const exact = exactAmount(wei)
  return (
    <data
      value={exact}
      title={`${exact} ${symbol}`}
      className={classNames('figures whitespace-nowrap', className)}
    >
      {shortAmount(wei)} <span className="text-[0.78em] font-medium">{symbol}</span>
    </data>
  )
}
