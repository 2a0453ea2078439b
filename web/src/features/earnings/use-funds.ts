import { useQuery } from '@tanstack/react-query'
import { contractsQuery } from '@/api/contracts'
import type { Human } from '@/api/human'
import { fundsQuery } from '@/chain/funds'
import { appConfigQuery } from '@/config/app-config'

/** What the wallet of whoever is signed in has; its data is null where there is no node to ask. */
export function useFunds(me: Human) {
  const contracts = useQuery(contractsQuery).data
  const app = useQuery(appConfigQuery).data
  return useQuery(fundsQuery(me.walletAddress, contracts, app))
}
