import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { contractsQuery } from '@/api/contracts'
import { loadNow } from '@/api/load'
import { appConfigQuery } from '@/config/app-config'
import { createEvent } from '@/lib/event'
import { onReturn } from '@/lib/on-return'
import type { WalletCore } from './wallet-core'

/** The wallet's state, as pages use it. The wallet code is loaded only when it is needed. */
export interface WalletState {
  /** The account that the wallet exposes; absent if no wallet is connected. */
  address?: string
  /** The chain that the wallet is on. */
  chainId?: number
  /** Whether this is the development wallet, which signs without confirmation. */
  development?: boolean
}

let state: WalletState = {}
const changed = createEvent()

function update(next: WalletState) {
  state = next
  changed.emit()
}

let opening: Promise<WalletCore> | undefined

/** Loads the wallet code once. Sends no request that needs confirmation. */
export function openWallet(queries: QueryClient): Promise<WalletCore> {
  opening ??= open(queries).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

async function open(queries: QueryClient): Promise<WalletCore> {
  const [{ createWalletCore }, contracts, config] = await Promise.all([
    loadNow(() => import('./wallet-core')),
    queries.ensureQueryData(contractsQuery),
    queries.ensureQueryData(appConfigQuery),
  ])
  if (config.faucetPath) {
    const { announceDevelopmentWallet } = await loadNow(() => import('./development-wallet'))
    announceDevelopmentWallet(contracts.chainId, config)
  }
  const core = createWalletCore(contracts, config)
  core.watch(update)
  // Errors are ignored, because the wallet's state is read again before each signature.
  onReturn(() => void core.refresh().catch(() => undefined))
  return core
}

/** Subscribes to the wallet's state. */
export const useWallet = (): WalletState => useSyncExternalStore(changed.subscribe, () => state)
