import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { signOut, useSession } from '@/api/session'
import { openWallet, useWallet } from '@/chain/wallet'
import { messages } from '@/messages/app'
import { toast } from '@/ui/toast'

/**
 * Ends the session when the wallet switches to another account. Otherwise the user would be signed
 * in as one account and sign as another.
 */
export function useAccountGuard() {
  const queries = useQueryClient()
  const human = useSession()
  const { address } = useWallet()
  const signedIn = human != null

  useEffect(() => {
    if (!signedIn) return
    // The wallet may have switched accounts before a reload. An error is ignored here and reported
    // when the wallet is used.
    openWallet(queries)
      .then((core) => core.resume())
      .catch(() => undefined)
  }, [queries, signedIn])

  useEffect(() => {
    if (!human || !address || address === human.walletAddress) return
    signOut(queries).then(
      () => toast(messages.accountMoved),
      () => toast(messages.accountMovedFailed, 'bad'),
    )
  }, [queries, human, address])
}
