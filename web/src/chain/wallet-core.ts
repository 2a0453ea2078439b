import {
  type Config,
  type Connector,
  connect,
  createConfig,
  createStorage,
  disconnect,
  getConnection,
  getConnectors,
  http,
  injected,
  reconnect,
  signMessage,
  signTypedData,
  switchChain,
  unstable_connector,
  watchConnection,
  watchConnectors,
} from '@wagmi/core'
import { defineChain } from 'viem'
import type { Contracts } from '@/api/contracts'
import type { AppConfig } from '@/config/app-config'
import { offerBrowserWallet } from './browser-wallet'
import { readConnection } from './connection'
import { developmentWalletId } from './development-wallet-id'
import type { Intent } from './intent'
import { createNode } from './node'
import { makeReview, type Review } from './review'
import { type OnStep, send } from './send'
import type { StoredTransaction } from './stored-transactions'
import { checkTransaction } from './transaction-check'
import type { VerdictData } from './verdict'
import type { WalletState } from './wallet'

/** A wallet that the user can choose. */
export interface WalletOption {
  /** An id that is unique in this list, even if two wallets have the same EIP-6963 `rdns`. */
  id: string
  name: string
  /** The wallet's icon as a data URL. */
  icon?: string | undefined
  lastUsed: boolean
  /** Whether this is the development wallet, which signs without confirmation. */
  development: boolean
}

/** All operations that involve a wallet. Wallet errors are passed on unchanged: see errors.ts. */
export interface WalletCore {
  /**
   * Returns the announced wallets, the last used one first. The array is the same until it changes.
   */
  options(): readonly WalletOption[]
  watchOptions(listener: () => void): () => void
  state(): WalletState
  watch(listener: (state: WalletState) => void): () => void
  /** Requests access to the wallet's account and returns its address. */
  connect(id: string): Promise<string>
  /**
   * Looks for a late wallet, connects to the last used one without a prompt, and reads its state.
   */
  resume(): Promise<void>
  /**
   * Reads the account and chain from the connected wallet again, because it may not emit changes.
   */
  refresh(): Promise<void>
  disconnect(): Promise<void>
  /** Signs a text (EIP-191). Throws WalletMismatch if the wallet is on another account or chain. */
  sign(account: string, message: string): Promise<`0x${string}`>
  /**
   * Signs a validator's verdict (EIP-712). Throws WalletMismatch under the same conditions as
   * `sign`.
   */
  signVerdict(account: string, verdict: VerdictData): Promise<`0x${string}`>
  /** Switches the wallet to the market's chain, and adds the chain to the wallet if needed. */
  switchToOurChain(): Promise<void>
  /**
   * Checks the intent and returns what the user will sign. Sends no request that needs
   * confirmation.
   */
  review(account: string, intent: Intent): Promise<Review>
  /** Requests the reviewed call from the wallet, and calls `onStep` to record each step. */
  send(review: Review, onStep: OnStep): Promise<void>
  /** Returns the current state of a transaction. */
  check(transaction: StoredTransaction): Promise<StoredTransaction>
}

export function createWalletCore(contracts: Contracts, app: AppConfig): WalletCore {
  const { chainId } = contracts
  const browserWallet = offerBrowserWallet()
  const config = makeConfig(chainId, app)
  const node = createNode(config, contracts)
  const readOptions = () => optionsOf(config, browserWallet.isDuplicate)
  let options: readonly WalletOption[] = readOptions()
  const listOptions = () => {
    options = readOptions()
  }
  watchConnectors(config, { onChange: listOptions })
  let resuming: Promise<void> | undefined
  const resume = async () => {
    if (!stateOf(config).address) await reconnect(config)
    await readConnection(config)
  }
  return {
    options: () => options,
    watchOptions(listener) {
      const stopWatching = browserWallet.watch()
      const unsubscribe = watchConnectors(config, { onChange: listener })
      return () => {
        stopWatching()
        unsubscribe()
      }
    },
    state: () => stateOf(config),
    watch(listener) {
      const notify = () => listener(stateOf(config))
      notify()
      return watchConnection(config, { onChange: notify })
    },
    async connect(id) {
      const connector = connectorOf(config, id)
      listOptions()
      // A wallet that is already connected needs no new connection, even if its account changed.
      await readConnection(config)
      const now = getConnection(config)
      if (now.address && now.connector?.uid === connector.uid) return now.address
      const { accounts } = await connect(config, { connector })
      await readConnection(config)
      return stateOf(config).address ?? accounts[0]
    },
    resume() {
      browserWallet.look()
      resuming ??= resume().finally(() => {
        resuming = undefined
      })
      return resuming
    },
    async refresh() {
      await readConnection(config)
    },
    async disconnect() {
      await disconnect(config)
    },
    async sign(account, message) {
      await node.checkWallet(account)
      return signMessage(config, { message })
    },
    async signVerdict(account, verdict) {
      await node.checkWallet(account)
      return signTypedData(config, verdict)
    },
    async switchToOurChain() {
      await switchChain(config, { chainId })
    },
    review: (account, intent) => makeReview(node, contracts, account, intent),
    send: (review, onStep) => send(node, review, onStep),
    check: (transaction) => checkTransaction(node, transaction),
  }
}

// `timeout` is in ms. A node that does not respond in time counts as unreachable.
const timeouts = { timeout: 8_000, retryCount: 1 }

function makeConfig(chainId: number, app: AppConfig): Config {
  const chain = defineChain({
    id: chainId,
    name: app.chainName,
    nativeCurrency: app.currency,
    rpcUrls: { default: { http: app.rpcUrl ? [app.rpcUrl] : [] } },
  })
  return createConfig({
    chains: [chain],
    storage: createStorage({ key: 'taskmarket.wallet', storage: localStorage }),
    transports: {
      [chainId]: app.rpcUrl ? http(app.rpcUrl, timeouts) : unstable_connector(injected),
    },
  })
}

function stateOf(config: Config): WalletState {
  const { address, chainId, connector } = getConnection(config)
  if (!address) return {}
  const development = connector?.id === developmentWalletId
  return { address, development, ...(chainId === undefined ? {} : { chainId }) }
}

const maxName = 60
const recentKey = 'taskmarket.wallet.last'

function optionsOf(config: Config, isDuplicate: (id: string) => boolean): WalletOption[] {
  const last = localStorage.getItem(recentKey)
  return getConnectors(config)
    .filter(({ id }) => !isDuplicate(id))
    .map(({ id, uid, name, icon }) => ({
      id: uid,
      // Data from browser extensions is untrusted: an invalid name must not hide the other wallets.
      name: typeof name === 'string' ? name.slice(0, maxName) : '',
      icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : undefined,
      lastUsed: id === last,
      development: id === developmentWalletId,
    }))
    .sort((a, b) => Number(b.lastUsed) - Number(a.lastUsed))
}

function connectorOf(config: Config, id: string): Connector {
  const connector = getConnectors(config).find((each) => each.uid === id)
  if (!connector) throw new Error(`wallet ${id} is no longer available`)
  localStorage.setItem(recentKey, connector.id)
  return connector
}
