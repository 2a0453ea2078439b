import type { Contracts } from '@/api/contracts'
import type { Obstacle } from './errors'
import type { WalletCore } from './wallet-core'

/** What keeps the wallet from acting, if anything: it must show our account, on our chain. */
export async function obstacle(
  core: WalletCore,
  wallet: string | undefined,
  contracts: Pick<Contracts, 'chainId'> | undefined,
): Promise<Obstacle | undefined> {
  await core.resume()
  const { address, chainId } = core.state()
  if (!address || address.toLowerCase() !== wallet?.toLowerCase()) return 'wallet'
  return chainId === contracts?.chainId ? undefined : 'network'
}

/** Takes it away, for which the wallet may ask the person. */
export async function removeObstacle(core: WalletCore, by: Obstacle) {
  if (by === 'network') return core.switchToOurChain()
  const last = core.options()[0]
  if (last) await core.connect(last.id)
}
