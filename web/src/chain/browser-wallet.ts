import type { EIP1193Provider } from 'viem'
import { messages } from '@/messages/chain'

/** The identifier under which the browser's wallet is announced. */
const browserWalletId = 'window.ethereum'

// In ms: how often a list of wallets looks for one that is injected late and emits no event.
const interval = 1_000

type Injected = Pick<EIP1193Provider, 'request'> &
  Partial<Record<'on' | 'removeListener', (...args: unknown[]) => unknown>>

const injected = () => (window as { ethereum?: Injected }).ethereum

/**
 * Announces the wallet in `window.ethereum` (EIP-6963) for wallets that only set this variable, also
 * if they set it late. Must be called before the wallets are listed.
 */
export function offerBrowserWallet() {
  const announced = new Set<unknown>()
  window.addEventListener('eip6963:announceProvider', (event) =>
    announced.add((event as CustomEvent<{ provider?: unknown } | undefined>).detail?.provider),
  )
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  let isOffered = false
  const offer = () => {
    if (isOffered || !injected() || announced.has(injected())) return
    isOffered = true
    const announce = announcement()
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }
  offer()
  window.addEventListener('ethereum#initialized', offer)
  return {
    /** Looks for a late wallet once. */
    look: offer,
    /** Whether this wallet is the one in `window.ethereum`, which has announced itself since. */
    isDuplicate: (id: string) => id === browserWalletId && announced.has(injected()),
    /** Looks for a late wallet until the returned function is called. */
    watch() {
      offer()
      const timer = setInterval(offer, interval)
      return () => clearInterval(timer)
    },
  }
}

function announcement() {
  // Some of these wallets have no methods for events.
  const provider: Injected = {
    request: ((request: never) => injected()?.request(request)) as Injected['request'],
    on: (...args) => injected()?.on?.(...args),
    removeListener: (...args) => injected()?.removeListener?.(...args),
  }
  const info = {
    uuid: crypto.randomUUID(),
    name: messages.browserWallet,
    icon: '',
    rdns: browserWalletId,
  }
  const detail = Object.freeze({ info, provider })
  return () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}
