import { messages } from '@/messages/chain'
import { TransactionFault } from './errors'

/**
 * Rejects a text with `fault` unless each of its lines equals or matches the expected one. Texts to
 * sign come from the server and are untrusted: a different text could sign the user in to another
 * site, or bind the user to an agreement.
 */
export function checkLines(text: string, expected: readonly (string | RegExp)[], fault: string) {
  const lines = text.split('\n')
  const matches =
    lines.length === expected.length &&
    lines.every((line, i) => {
      const pattern = expected[i]
      return pattern instanceof RegExp ? pattern.test(line) : line === pattern
    })
  if (!matches) throw new TransactionFault(fault, messages.doNotSign)
}

/** Matches a whole line of `label` and the address, ignoring case. */
export const addressLine = (label: string, address: string) =>
  new RegExp(`^${label}${address}$`, 'i')

/** Matches a whole line of `label` and a time in the API's format. */
export const timeLine = (label: string) => new RegExp(`^${label}[-0-9T:.Z+]{10,40}$`)
