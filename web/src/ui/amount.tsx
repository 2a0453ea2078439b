import { displayAmount, exactAmount, shortAmount } from '@/lib/amount'
import { classNames } from '@/lib/class-names'

interface Props {
  wei: bigint
  symbol: string
  className?: string
  /** Whether all digits are shown, as for amounts that the user signs. */
  exact?: boolean
  /** Whether an amount above zero has a plus sign, as in a list of amounts received and paid. */
  signed?: boolean
}

/** A token amount: shortened for display, exact on hover and in the `value` attribute. */
export function Amount({ wei, symbol, className, exact = false, signed = false }: Props) {
  const plus = signed && wei > 0n ? '+' : ''
  return (
    <data
      value={exactAmount(wei)}
      translate="no"
      title={`${plus}${displayAmount(wei)} ${symbol}`}
      className={classNames('figures whitespace-nowrap', className)}
    >
      {plus + (exact ? displayAmount(wei) : shortAmount(wei))}{' '}
      <span className="text-[0.78em] font-medium">{symbol}</span>
    </data>
  )
}
