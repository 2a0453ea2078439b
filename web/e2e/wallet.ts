import type { BrowserContext } from 'playwright-core'
import { createWalletClient, type Hex, http, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { World } from './world'

/** A wallet in the browser, and the person who answers it. */
export class TestWallet {
  account = privateKeyToAccount(generatePrivateKey())
  chainId: number
  /** Whether the person says no to what they are asked. */
  rejects = false
  /** Whether the wallet was ever told about chains that it does not know. */
  knows: Set<number>
  /** What was asked of it, in order. */
  readonly asked: string[] = []
  private connected = false
  private readonly ours: number
  private readonly rpcUrl: string

  constructor({ chainId, rpcUrl }: Pick<World, 'chainId' | 'rpcUrl'>) {
    this.ours = chainId
    this.chainId = chainId
    this.knows = new Set([chainId])
    this.rpcUrl = rpcUrl
  }

  /** Makes the wallet known to all pages of the context, as EIP-6963 says. */
  async install(context: BrowserContext) {
    await context.exposeFunction('__wallet', async (method: string, params: unknown[]) => {
      try {
        return { result: await this.answer(method, params) }
      } catch (error) {
        const { code = -32603, message } = error as { code?: number; message: string }
        return { error: { code, message } }
      }
    })
    await context.addInitScript(announce)
  }

  private async answer(method: string, params: unknown[]): Promise<unknown> {
    this.asked.push(method)
    switch (method) {
      case 'eth_accounts':
        return this.connected ? [this.account.address] : []
      case 'eth_requestAccounts':
        this.consent()
        this.connected = true
        return [this.account.address]
      case 'eth_chainId':
        return numberToHex(this.chainId)
      case 'personal_sign':
        this.consent()
        return this.account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_sendTransaction':
        this.consent()
        return this.send(params[0] as { to: Hex; data: Hex })
      case 'wallet_switchEthereumChain':
        return this.move(params[0] as { chainId: Hex })
      case 'wallet_addEthereumChain':
        this.consent()
        this.knows.add(Number((params[0] as { chainId: Hex }).chainId))
        return this.move(params[0] as { chainId: Hex })
      case 'wallet_requestPermissions':
      case 'wallet_revokePermissions':
        return null
    }
    throw refusal(4200, `${method} is not supported`)
  }

  private async send({ to, data }: { to: Hex; data: Hex }): Promise<Hex> {
    const wallet = createWalletClient({ account: this.account, transport: http(this.rpcUrl) })
    return wallet.sendTransaction({ chain: null, to, data })
  }

  private move({ chainId }: { chainId: Hex }) {
    if (!this.knows.has(Number(chainId))) throw refusal(4902, 'unknown chain')
    this.consent()
    this.chainId = Number(chainId)
    return null
  }

  private consent() {
    if (this.rejects) throw refusal(4001, 'the user rejected the request')
  }

  /** Whether the wallet is on the chain of the world. */
  get isOnOurChain() {
    return this.chainId === this.ours
  }
}

const refusal = (code: number, message: string) => Object.assign(new Error(message), { code })

/** Runs in the page. */
function announce() {
  type Listener = (value: unknown) => void
  const listeners = new Map<string, Set<Listener>>()
  const tell = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const chainOf = ([chain]: unknown[] = []) => (chain as { chainId: string }).chainId
  const provider = {
    async request({ method, params }: { method: string; params?: unknown[] }) {
      const wallet = (
        window as unknown as {
          __wallet: (
            m: string,
            p: unknown[],
          ) => Promise<{ result?: unknown; error?: { code: number; message: string } }>
        }
      ).__wallet
      const { result, error } = await wallet(method, params ?? [])
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      if (method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain') {
        tell('chainChanged', chainOf(params))
      }
      return result
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
    },
  }
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E'
  const uuid = '0198c1de-7a4b-4c3e-9d52-3f1b6a2c4e80'
  const info = { uuid, name: 'Test wallet', icon, rdns: 'example.wallet' }
  const detail = Object.freeze({ info, provider })
  const say = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', say)
  say()
  // For a story in which the person moves to another account.
  Object.assign(window, { __moveAccount: (address: string) => tell('accountsChanged', [address]) })
}
