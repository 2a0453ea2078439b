import type { BrowserContext } from 'playwright-core'
import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  numberToHex,
  type TypedDataDefinition,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { World } from './world'

interface Call {
  to: Hex
  data?: Hex
}

/** A transaction that the wallet has signed but not sent yet. */
interface Sent {
  call: Call
  nonce: number
  raw: Hex
}

// In wei: a fee increase large enough for every node to accept a replacement transaction.
const dearer = 50_000_000_000n

/** A wallet in the browser, including the user who confirms its requests. */
export class TestWallet {
  account = privateKeyToAccount(generatePrivateKey())
  chainId: number
  /** Whether the user rejects requests. */
  rejects = false
  /** The chains that the wallet supports. */
  knows: Set<number>
  /** The method of the wallet request that the user leaves open until `answer` is called. */
  hesitatesAt: string | undefined
  /** Whether the wallet delays signed transactions until `broadcast` is called. */
  isSlow = false
  /** Whether the wallet supports several calls in one batch (EIP-5792). */
  batches = false
  /** The method that the wallet rejects, and the error code with which it does. */
  refuses: { method: string; code: number } | undefined
  /** Whether the wallet's response is lost after it has sent a transaction. */
  losesAnswers = false
  /** A transaction that the wallet sends instead of the requested one. */
  sends: Call | undefined
  /** The number of transactions that the wallet has counted but no node has received. */
  ahead = 0
  /** The methods that the page has requested, in order. */
  readonly asked: string[] = []
  private readonly waiting: (() => void)[] = []
  private slow: Sent | undefined
  private readonly batched = new Map<string, Hex>()
  private connected = false
  private readonly ours: number
  private readonly rpcUrl: string

  constructor({ chainId, rpcUrl }: Pick<World, 'chainId' | 'rpcUrl'>) {
    this.ours = chainId
    this.chainId = chainId
    this.knows = new Set([chainId])
    this.rpcUrl = rpcUrl
  }

  /** Announces the wallet to all pages of the context (EIP-6963). */
  async install(context: BrowserContext) {
    await context.exposeFunction('__wallet', async (method: string, params: unknown[]) => {
      try {
        return { result: await this.reply(method, params) }
      } catch (error) {
        const { code = -32603, message } = error as { code?: number; message: string }
        return { error: { code, message } }
      }
    })
    await context.addInitScript(announce)
  }

  private async reply(method: string, params: unknown[]): Promise<unknown> {
    this.asked.push(method)
    if (this.refuses?.method === method) throw refusal(this.refuses.code, `no ${method}`)
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
      case 'eth_signTypedData_v4':
        await this.consider(method)
        return this.account.signTypedData(JSON.parse(String(params[1])) as TypedDataDefinition)
      case 'eth_sendTransaction':
        await this.consider(method)
        return this.sendOne(params[0] as Call)
      case 'eth_getTransactionByHash':
        return this.slow && keccak256(this.slow.raw) === params[0]
          ? { nonce: numberToHex(this.slow.nonce) }
          : null
      case 'wallet_getCapabilities':
        if (this.batches) return { [numberToHex(this.ours)]: { atomic: { status: 'supported' } } }
        break
      case 'wallet_sendCalls':
        await this.consider(method)
        return this.sendAll(params[0] as { id: string; calls: Call[] })
      case 'wallet_getCallsStatus': {
        const transactionHash = this.batched.get(String(params[0]))
        if (!transactionHash) throw refusal(5730, 'unknown bundle')
        return { status: 200, receipts: [{ transactionHash }] }
      }
      case 'wallet_switchEthereumChain':
        return this.move(params[0] as { chainId: Hex })
      case 'wallet_addEthereumChain':
        this.consent()
        this.knows.add(Number((params[0] as { chainId: Hex }).chainId))
        return this.move(params[0] as { chainId: Hex })
      case 'eth_blockNumber':
      case 'eth_call':
      case 'eth_getCode':
      case 'eth_getLogs':
      case 'eth_getTransactionReceipt':
        return createPublicClient({ transport: http(this.rpcUrl) }).request({
          method,
          params,
        } as never)
      case 'wallet_requestPermissions':
      case 'wallet_revokePermissions':
        return null
    }
    throw refusal(4200, `${method} is not supported`)
  }

  private async sendOne(call: Call): Promise<Hex> {
    const node = createPublicClient({ transport: http(this.rpcUrl) })
    const { address } = this.account
    const nonce = (await node.getTransactionCount({ address, blockTag: 'pending' })) + this.ahead
    const hash = await this.send(this.sends ?? call, { nonce })
    if (this.losesAnswers) throw refusal(-32603, 'the response is lost')
    return hash
  }

  /** Sends another transaction before the delayed one. */
  async sendAnother() {
    const kept = this.slow
    this.isSlow = false
    await this.send({ to: this.account.address })
    this.isSlow = true
    this.slow = kept
    this.ahead = 0
  }

  /**
   * Signs and sends a transaction; a slow wallet delays the sending. Returns the hash in both
   * cases.
   */
  private async send(call: Call, more: object = {}): Promise<Hex> {
    const client = createWalletClient({ account: this.account, transport: http(this.rpcUrl) })
    const request = await client.prepareTransactionRequest({
      to: call.to,
      ...(call.data ? { data: call.data } : {}),
      chain: null,
      ...more,
    })
    const raw = await client.signTransaction(request as never)
    if (this.isSlow) this.slow = { call, raw, nonce: request.nonce }
    else await client.sendRawTransaction({ serializedTransaction: raw })
    return keccak256(raw)
  }

  /** Handles a batch request, but sends the calls as separate transactions. */
  private async sendAll({ id, calls }: { id: string; calls: Call[] }) {
    let hash: Hex = '0x'
    const node = createPublicClient({ transport: http(this.rpcUrl), pollingInterval: 100 })
    for (const call of calls) {
      hash = await this.send(call)
      await node.waitForTransactionReceipt({ hash })
    }
    this.batched.set(id, hash)
    return { id }
  }

  /** Whether a slow wallet has a signed transaction that it has not sent. */
  get hasSigned(): boolean {
    return this.slow !== undefined
  }

  /** Sends the delayed transaction, or `instead` as its replacement with a higher fee. */
  async broadcast(instead?: Partial<Call>) {
    if (!this.slow) throw new Error('the wallet has no delayed transaction')
    const { call, nonce, raw } = this.slow
    this.isSlow = false
    this.slow = undefined
    if (instead) {
      const fees = { maxFeePerGas: 2n * dearer, maxPriorityFeePerGas: dearer }
      await this.send({ ...call, ...instead }, { nonce, ...fees })
      return
    }
    const client = createWalletClient({ transport: http(this.rpcUrl) })
    await client.sendRawTransaction({ serializedTransaction: raw })
  }

  /** Confirms the open requests. */
  answer() {
    this.hesitatesAt = undefined
    for (const each of this.waiting.splice(0)) each()
  }

  /** Whether a request is waiting for the user. */
  get isAsked() {
    return this.waiting.length > 0
  }

  private async consider(method: string) {
    if (this.hesitatesAt === method) await new Promise<void>((decide) => this.waiting.push(decide))
    this.consent()
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

  /** Whether the wallet is on the test world's chain. */
  get isOnOurChain() {
    return this.chainId === this.ours
  }
}

const refusal = (code: number, message: string) => Object.assign(new Error(message), { code })

/** Runs in the page: announces the wallet (EIP-6963). */
function announce() {
  type Listener = (value: unknown) => void
  const listeners = new Map<string, Set<Listener>>()
  const emit = (event: string, value: unknown) => {
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
        emit('chainChanged', chainOf(params))
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
  // Lets a story simulate a user who switches to another account or chain.
  Object.assign(window, {
    __moveAccount: (address: string) => emit('accountsChanged', [address]),
    __moveChain: (id: string) => emit('chainChanged', id),
  })
}
