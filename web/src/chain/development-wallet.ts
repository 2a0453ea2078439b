import {
  createWalletClient,
  type EIP1193Provider,
  type Hex,
  http,
  isHex,
  type TransactionRequest,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { AppConfig } from '@/config/app-config'
import { messages } from '@/messages/chain'
import { developmentWalletId } from './development-wallet-id'

const storageKey = 'taskmarket.development-wallet'
const icon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="9" fill="%23b45309"/%3E%3Cpath d="M9 11l5 5-5 5m7 0h7" fill="none" stroke="%23fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/%3E%3C/svg%3E'

type Request = { method: string; params?: unknown }
type Handler = (params: unknown[]) => Promise<unknown>

/**
 * Announces a wallet whose key is in this browser's storage (EIP-6963). It signs without
 * confirmation, so it must be used only in development environments with test money.
 */
export function announceDevelopmentWallet(chainId: number, app: AppConfig) {
  const provider = createProvider(chainId, app)
  const info = {
    uuid: crypto.randomUUID(),
    name: messages.developmentWallet,
    icon,
    rdns: developmentWalletId,
  }
  const detail = Object.freeze({ info, provider })
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

function createProvider(
  chainId: number,
  app: AppConfig,
): Pick<EIP1193Provider, 'request'> & { on(): void; removeListener(): void } {
  const handlers: Record<string, Handler> = {
    eth_chainId: async () => `0x${chainId.toString(16)}`,
    eth_accounts: async () => accounts(stored()),
    eth_requestAccounts: async () => accounts(stored() ?? (await create(app))),
    personal_sign: async ([message]) => account().signMessage({ message: { raw: message as Hex } }),
    eth_signTypedData_v4: async ([, typedData]) =>
      account().signTypedData(JSON.parse(String(typedData))),
    eth_sendTransaction: async ([transaction]) => send(app, transaction as TransactionRequest),
    wallet_switchEthereumChain: async () => null,
  }
  const request = async ({ method, params }: Request) => {
    const handler = handlers[method]
    return handler ? handler(Array.isArray(params) ? params : []) : forward(app, method, params)
  }
  return { request: request as EIP1193Provider['request'], on() {}, removeListener() {} }
}

const accounts = (wallet: PrivateKeyAccount | undefined) => (wallet ? [wallet.address] : [])

function stored(): PrivateKeyAccount | undefined {
  const key = localStorage.getItem(storageKey)
  return isHex(key) ? privateKeyToAccount(key) : undefined
}

function account(): PrivateKeyAccount {
  const wallet = stored()
  if (!wallet) throw new Error('the development wallet is not connected')
  return wallet
}

/** Creates a key and requests funds for its account from the faucet. */
async function create(app: AppConfig): Promise<PrivateKeyAccount> {
  const key = generatePrivateKey()
  const created = privateKeyToAccount(key)
  const response = await fetch(`${app.faucetPath}/${created.address}`, { method: 'POST' })
  if (!response.ok) throw new Error(`the faucet returned status ${response.status}`)
  localStorage.setItem(storageKey, key)
  return created
}

async function send(app: AppConfig, { to, data, value }: TransactionRequest): Promise<Hex> {
  const client = createWalletClient({ account: account(), transport: http(app.rpcUrl) })
  return client.sendTransaction({
    chain: null,
    to: to ?? null,
    ...(data ? { data } : {}),
    ...(value ? { value: BigInt(value) } : {}),
  })
}

async function forward(app: AppConfig, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(app.rpcUrl ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string }
  }
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}
