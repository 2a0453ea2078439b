import { type Config, getConnection } from '@wagmi/core'

/** The state that a wallet exposes: its accounts, the selected one first, and its chain. */
interface Shown {
  accounts: readonly string[]
  chainId?: number
}

/**
 * Reads accounts and chain from the connected wallet, and corrects the connection if they differ.
 * Events do not suffice: during connecting there is no listener yet, and some wallets emit none.
 * Without a connection there are no accounts.
 */
export async function readConnection(config: Config): Promise<Shown> {
  const { connector } = getConnection(config)
  if (!connector) return { accounts: [] }
  const isCurrent = () => getConnection(config).connector?.uid === connector.uid
  // Each result is applied at once, because a later event is newer.
  const readAccounts = async () => {
    const accounts = await connector.getAccounts()
    const known = getConnection(config).addresses ?? []
    if (isCurrent() && accounts.join() !== known.join()) {
      await connector.onAccountsChanged([...accounts])
    }
    return accounts
  }
  const readChain = async () => {
    const chainId = await connector.getChainId()
    if (isCurrent() && chainId !== getConnection(config).chainId) {
      connector.onChainChanged(String(chainId))
    }
    return chainId
  }
  const [accounts, chainId] = await Promise.all([readAccounts(), readChain()])
  return { accounts, chainId }
}
