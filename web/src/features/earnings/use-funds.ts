import { useQuery } from '@tanstack/react-query'
import { useContracts } from '@/api/contracts'
import type { Human } from '@/api/human'
import { fundsQuery } from '@/chain/funds'
import { appConfigQuery } from '@/config/app-config'

/** Reads the funds of the signed-in human's wallet; the data is null without a node. */
export function useFunds(me: Human) {
  const contracts = useContracts()
  const app = useQuery(appConfigQuery).data
  return useQuery(fundsQuery(me.walletAddress, contracts, app))
}
