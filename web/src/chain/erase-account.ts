import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { eraseAccount, erasureText } from '@/api/account'
import { contractsQuery } from '@/api/contracts'
import type { Human } from '@/api/human'
import { checkErasureText } from './erasure-text'
import { WalletMismatch } from './errors'
import { obstacleOf, removeObstacle } from './obstacle'
import { openWallet } from './wallet'

/**
 * Deletes the signed-in human's account, after the account's wallet has signed the request. `onSuccess`
 * runs even if the user has left the page by then.
 */
export function useEraseAccount(onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: (human: Human) => signAndErase(queries, human), onSuccess })
}

async function signAndErase(queries: QueryClient, { username, walletAddress: address }: Human) {
  const challenge = await erasureText(username)
  const contracts = await queries.ensureQueryData(contractsQuery)
  const core = await openWallet(queries)
  const by = await obstacleOf(core, address, contracts)
  if (by) await removeObstacle(core, by)
  const still = by && (await obstacleOf(core, address, contracts))
  if (still) throw new WalletMismatch(still)
  const host = import.meta.env.DEV ? hostIn(challenge) : window.location.host
  checkErasureText(challenge, { address, username, chainId: contracts.chainId, host })
  await eraseAccount(queries, {
    username,
    challenge,
    signature: await core.sign(address, challenge),
  })
}

/** The host that the text names. With `npm run dev`, the app and the API have different hosts. */
const hostIn = (text: string) => /^Domain: (\S+)$/m.exec(text)?.[1] ?? ''
