import type { Contracts } from '@/api/contracts'
import type { Obstacle } from './errors'
import type { WalletCore } from './wallet-core'

/** Returns the wallet state that prevents a request: another account or another chain. */
export async function obstacleOf(
  core: WalletCore,
  wallet: string | undefined,
  contracts: Pick<Contracts, 'chainId'> | undefined,
): Promise<Obstacle | undefined> {
  await core.resume()
  const { address, chainId } = core.state()
  if (!address || address.toLowerCase() !== wallet?.toLowerCase()) return 'wallet'
  return chainId === contracts?.chainId ? undefined : 'network'
}

/**
 * Switches the wallet to the right account or chain. The wallet may ask the user for confirmation.
 */
export async function removeObstacle(core: WalletCore, by: Obstacle) {
  if (by === 'network') return core.switchToOurChain()
  const last = core.options()[0]
  if (last) await core.connect(last.id)
}
