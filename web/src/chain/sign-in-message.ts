import { messages } from '@/messages/chain'
import { TransactionFault } from './errors'

/** The account that signs in, its chain, and the site: `host` includes the port. */
export interface SignIn {
  address: string
  chainId: number
  host: string
  origin: string
}

/**
 * Rejects any message (EIP-4361) that does more than sign this account in to this site. The text
 * comes from the server and is untrusted: a different text could sign the user in to another site
 * or contain an agreement.
 */
export function checkSignInMessage(message: string, { address, chainId, host, origin }: SignIn) {
  const expected = [
    `${host} wants you to sign in with your Ethereum account:`,
    new RegExp(`^${address}$`, 'i'),
    '',
    'Sign in to Task Market.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    /^Nonce: [A-Za-z0-9]{8,128}$/,
    /^Issued At: [-0-9T:.Z+]{10,40}$/,
    /^Expiration Time: [-0-9T:.Z+]{10,40}$/,
  ]
  const lines = message.split('\n')
  const matches =
    lines.length === expected.length &&
    lines.every((line, i) => {
      const pattern = expected[i]
      return pattern instanceof RegExp ? pattern.test(line) : line === pattern
    })
  if (matches) return
  throw new TransactionFault(messages.otherSignIn, messages.doNotSign)
}
