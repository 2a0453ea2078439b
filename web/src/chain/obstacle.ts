import type { Contracts } from '@/api/contracts'
import { messages } from '@/messages/session'
import { type Obstacle, TransactionFault } from './errors'
import type { WalletCore } from './wallet-core'

const { noWallet } = messages

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
 * Throws if the browser has no wallet.
 */
export async function removeObstacle(core: WalletCore, by: Obstacle) {
  if (by === 'network') return core.switchToOurChain()
  await core.resume()
  const last = core.options()[0]
  if (!last) throw new TransactionFault(`${noWallet.title}. ${noWallet.text}`)
  await core.connect(last.id)
}
