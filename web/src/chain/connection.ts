import { type Config, getConnection } from '@wagmi/core'

/** The state that a wallet exposes: its chain and its accounts, the selected one first. */
interface Shown {
  accounts: readonly string[]
  chainId?: number
}

/**
 * Reads accounts and chain from the connected wallet, and updates the connection if they differ.
 * Events are not sufficient: there is no listener during connecting, and some wallets emit none.
 * Returns no accounts if no wallet is connected.
 */
export async function readConnection(config: Config): Promise<Shown> {
  const { connector } = getConnection(config)
  if (!connector) return { accounts: [] }
  const isCurrent = () => getConnection(config).connector?.uid === connector.uid
  // Each result is applied immediately, so that it cannot overwrite a later event.
  const readAccounts = async () => {
    const accounts = await connector.getAccounts()
    const current = getConnection(config).addresses ?? []
    if (isCurrent() && accounts.join() !== current.join()) {
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
