import { messages } from '@/messages/chain'
import { addressLine, checkLines, timeLine } from './signed-text'

/** The account that signs in, its chain, and the site: `host` includes the port. */
export interface SignIn {
  address: string
  chainId: number
  host: string
  origin: string
}

/** Rejects any message (EIP-4361) that does more than sign this account in to this site. */
export function checkSignInMessage(message: string, { address, chainId, host, origin }: SignIn) {
  const expected = [
    `${host} wants you to sign in with your Ethereum account:`,
    addressLine('', address),
    '',
    'Sign in to Task Market.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    /^Nonce: [A-Za-z0-9]{8,128}$/,
    timeLine('Issued At: '),
    timeLine('Expiration Time: '),
  ]
  checkLines(message, expected, messages.otherSignIn)
}
