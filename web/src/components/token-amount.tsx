import { useSymbol } from '@/api/contracts'
import { Amount } from '@/ui/amount'

/** Displays an amount of the market's token. */
export function TokenAmount({ wei, className = '' }: { wei: bigint; className?: string }) {
  return <Amount wei={wei} symbol={useSymbol()} className={className} />
}
