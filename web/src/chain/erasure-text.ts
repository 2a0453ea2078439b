import { messages } from '@/messages/chain'
import { addressLine, checkLines, timeLine } from './signed-text'

/** The account to delete, its chain, and the host of the site, which includes the port. */
export interface Erasure {
  address: string
  username: string
  chainId: number
  host: string
}

/** Rejects any text except the one that deletes this account on this site. */
export function checkErasureText(text: string, { address, username, chainId, host }: Erasure) {
  const expected = [
    'Task Market: delete an account',
    `Domain: ${host}`,
    `Chain ID: ${chainId}`,
    addressLine('Wallet: ', address),
    `Username: ${username}`,
    /^Nonce: [A-Za-z0-9]{8,128}$/,
    timeLine('Issued At: '),
    timeLine('Expires At: '),
  ]
  checkLines(text, expected, messages.otherErasure)
}
