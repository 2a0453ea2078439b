/** The number of decimal places of the token. */
export const decimals = 18
const one = 10n ** BigInt(decimals)

/**
 * Formats an amount with all its digits: 9500000000000000000n becomes "9.5". The sign is the hyphen that programs
 * read. Use `displayAmount` for display.
 */
export function exactAmount(wei: bigint): string {
  const sign = wei < 0n ? '-' : ''
  const size = wei < 0n ? -wei : wei
  const part = (size % one).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${sign}${size / one}${part && `.${part}`}`
}

/** Formats an amount with all its digits for display, with a minus sign instead of a hyphen. */
export const displayAmount = (wei: bigint): string => exactAmount(wei).replace('-', '\u2212')

/**
 * Formats an amount for display, with separators between thousands and at most four significant
 * digits after the decimal point. It is rounded towards zero, so it never overstates the amount.
 */
export function shortAmount(wei: bigint): string {
  const [whole = '0', part = ''] = displayAmount(wei).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  if (!part) return grouped
  const zeros = /^0*/.exec(part)?.[0].length ?? 0
  const leading = /^\u2212?0$/.test(whole) ? zeros : 0
  const fraction = part.slice(0, leading + 4).replace(/0+$/, '')
  return fraction ? `${grouped}.${fraction}` : grouped
}

/** The accepted groupings of thousands, with the separators of groups and of decimals. */
const groupings = [
  { form: /^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/, group: ',', point: '.' },
  { form: /^[1-9]\d{0,2}(?:,\d{3}){2,}$/, group: ',', point: '.' },
  { form: /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/, group: '.', point: ',' },
  { form: /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/, group: '.', point: ',' },
]

// "25,500" is 25.5 in some languages and 25500 in others.
const ambiguous = /^[1-9]\d{0,2},\d{3}$/

/**
 * Parses an amount and returns it in wei; undefined if it is invalid or ambiguous. The decimal separator is a
 * point or a comma: "9.5", "9,5", "1.000,5".
 */
export function parseAmount(text: string): bigint | undefined {
  const typed = text.trim().replaceAll(/\s(?=\d{3}(?!\d))/g, '')
  if (ambiguous.test(typed)) return undefined
  const { group = '', point = ',' } = groupings.find(({ form }) => form.test(typed)) ?? {}
  const number = typed.replaceAll(group, '').replace(point, '.')
  const match = /^(\d{1,50})(?:\.(\d{1,18}))?$/.exec(number)
  if (!match) return undefined
  return BigInt(match[1] ?? '0') * one + BigInt((match[2] ?? '').padEnd(decimals, '0'))
}

/** Returns the payout for an escrow amount: the amount less the fee, which is rounded down. */
export function payoutOf(amount: bigint, feeBasisPoints: number): bigint {
  return amount - (amount * BigInt(feeBasisPoints)) / 10_000n
}
