import { exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'

interface Props {
  wei: bigint
  symbol: string
  className?: string
  /** Whether all digits are shown, as for amounts that the user signs. */
  exact?: boolean
}

/** A token amount: shortened for display, exact on hover and in the `value` attribute. */
export function Amount({ wei, symbol, className, exact = false }: Props) {
  const all = exactAmount(wei)
  return (
    <data
      value={all}
      translate="no"
      title={`${all} ${symbol}`}
      className={classNames('figures whitespace-nowrap', className)}
    >
      {exact ? all : shortAmount(wei)} <span className="text-[0.78em] font-medium">{symbol}</span>
    </data>
  )
}
