import type { ComponentProps } from 'react'
import { useSymbol } from '@/api/contracts'
import { Amount } from '@/ui/amount'

/** Displays an amount of the market's token. */
export function TokenAmount(props: Omit<ComponentProps<typeof Amount>, 'symbol'>) {
  return <Amount {...props} symbol={useSymbol()} />
}
