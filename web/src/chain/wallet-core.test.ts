import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Contracts } from '@/api/contracts'
import { WalletMismatch } from './errors'
import type { VerdictData } from './verdict'
import { createWalletCore } from './wallet-core'

const ours = 31_337
const elsewhere = 10
const ann = '0x00000000000000000000000000000000000000A1'
const bob = '0x00000000000000000000000000000000000000b2'

/** A wallet that emits no events, so that its state must be polled. */
class SilentWallet {
  account = ann
  chainId = ours
  readonly asked: string[] = []
  /** Runs once, after the response to this method has been computed. */
  after: { method: string; change(): void } | undefined

  async request({ method }: { method: string }): Promise<unknown> {
    this.asked.push(method)
    const answer = this.answer(method)
    if (this.after?.method === method) {
      const { change } = this.after
      this.after = undefined
      change()
    }
    return answer
  }

  private answer(method: string): unknown {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [this.account]
    if (method === 'eth_chainId') return `0x${this.chainId.toString(16)}`
    if (method === 'personal_sign' || method === 'eth_signTypedData_v4') return '0x01'
    if (method === 'wallet_requestPermissions') return [{ caveats: [] }]
    throw Object.assign(new Error(method), { code: 4200 })
  }
  on() {}
  removeListener() {}
}

let wallet: SilentWallet

beforeEach(() => {
  wallet = new SilentWallet()
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  })
  const window = new EventTarget()
  window.addEventListener('eip6963:requestProvider', () => {
    const info = { uuid: 'a', name: 'Silent', icon: 'data:image/svg+xml,', rdns: 'silent' }
    const detail = { info, provider: wallet }
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
  vi.stubGlobal('window', window)
})
afterEach(() => vi.unstubAllGlobals())

function open() {
  const address = '0x00000000000000000000000000000000000000e5'
  const contracts = {
    chainId: ours,
    token: { address },
    applicationStakingAddress: address,
    escrowAddress: address,
  } as unknown as Contracts
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  return createWalletCore(contracts, { chainName: 'Test', currency, rpcUrl: 'http://127.0.0.1:1' })
}

async function connected() {
  const core = open()
  await core.connect(core.options()[0]?.id ?? '')
  return core
}

const verdict = {
  domain: { name: 'TaskmarketEscrow', version: '1', chainId: ours, verifyingContract: ann },
  types: { Verdict: [{ name: 'taskId', type: 'uint256' }] },
  primaryType: 'Verdict',
  message: { taskId: 1n },
} as unknown as VerdictData

test('an account change during the connection is detected', async () => {
  // eth_chainId is the last read, so the accounts were read before the change.
  wallet.after = { method: 'eth_chainId', change: () => (wallet.account = bob) }
  const core = open()
  const address = await core.connect(core.options()[0]?.id ?? '')
  expect([address, core.state().address]).toEqual([bob, bob])
})

test('a chain change during the connection is detected', async () => {
  wallet.after = { method: 'eth_chainId', change: () => (wallet.chainId = elsewhere) }
  expect((await connected()).state().chainId).toBe(elsewhere)
})

test.each([
  ['account', () => (wallet.account = bob), { address: bob, chainId: ours }],
  ['chain', () => (wallet.chainId = elsewhere), { address: ann, chainId: elsewhere }],
])('a change of the %s during the reconnection is detected', async (_, change, now) => {
  await connected()
  wallet.after = { method: 'eth_chainId', change }
  const core = open()
  const heard: object[] = []
  core.watch((state) => heard.push(state))
  await core.resume()
  expect(core.state()).toMatchObject(now)
  expect(heard.at(-1)).toMatchObject(now)
})

test('refresh reads the state of a wallet without events', async () => {
  const core = await connected()
  const heard: object[] = []
  core.watch((state) => heard.push(state))
  wallet.account = bob
  wallet.chainId = elsewhere
  await core.refresh()
  expect(heard.at(-1)).toMatchObject({ address: bob, chainId: elsewhere })
})

test('concurrent reconnections wait for the same result', async () => {
  await connected()
  const core = open()
  await Promise.all([
    core.resume(),
    core.resume().then(() => expect(core.state().address).toBe(ann)),
  ])
})

test('nothing is signed with another account or on another chain', async () => {
  const core = await connected()
  const heard: object[] = []
  core.watch((state) => heard.push(state))
  wallet.account = bob
  await expect(core.sign(ann, 'I am Ann')).rejects.toMatchObject({ by: 'wallet' })
  await expect(core.signVerdict(ann, verdict)).rejects.toBeInstanceOf(WalletMismatch)
  expect(heard.at(-1)).toMatchObject({ address: bob })
  wallet.account = ann
  wallet.chainId = elsewhere
  await expect(core.signVerdict(ann, verdict)).rejects.toMatchObject({ by: 'network' })
  expect(wallet.asked).not.toContain('personal_sign')
  expect(wallet.asked).not.toContain('eth_signTypedData_v4')
  wallet.chainId = ours
  expect(await core.sign(ann, 'I am Ann')).toBe('0x01')
  expect(await core.signVerdict(ann, verdict)).toBe('0x01')
})

/** Replaces the announced wallet by one that only sets `window.ethereum`. */
function injectOnly(ethereum?: object) {
  const window = Object.assign(new EventTarget(), { ethereum })
  vi.stubGlobal('window', window)
  return window
}

const announceAs = (name: string, provider: object) => {
  const detail = { info: { uuid: name, name, icon: '', rdns: name }, provider }
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}

const names = (core: ReturnType<typeof open>) => core.options().map(({ name }) => name)

test('a wallet that only sets window.ethereum is listed and signs', async () => {
  injectOnly(wallet)
  const core = open()
  expect(names(core)).toEqual(['Browser wallet'])
  expect(await core.connect(core.options()[0]?.id ?? '')).toBe(ann)
  expect(await core.sign(ann, 'I am Ann')).toBe('0x01')
  const next = open()
  await next.resume()
  expect(next.state().address).toBe(ann)
})

test('a wallet without event methods is connected', async () => {
  injectOnly({ request: (request: { method: string }) => wallet.request(request) })
  const core = open()
  expect(await core.connect(core.options()[0]?.id ?? '')).toBe(ann)
})

test('a wallet in window.ethereum is not listed again when it also announces itself', () => {
  const window = injectOnly(wallet)
  window.addEventListener('eip6963:requestProvider', () => announceAs('Silent', wallet))
  expect(names(open())).toEqual(['Silent'])
})

test('a wallet that announces itself after it was listed is listed once', async () => {
  injectOnly(wallet)
  const core = open()
  await core.resume()
  announceAs('Silent', wallet)
  expect(names(core)).toEqual(['Silent'])
})

test('window.ethereum is listed beside another wallet that announces itself', async () => {
  injectOnly(wallet)
  const core = open()
  await core.resume()
  announceAs('Other', new SilentWallet())
  expect(names(core)).toEqual(['Browser wallet', 'Other'])
})

test.each([
  ['with an event', true],
  ['without an event', false],
])('a wallet that is injected late %s is listed once', async (_, emits) => {
  const window = injectOnly()
  const core = open()
  await core.resume()
  vi.useFakeTimers()
  const stop = core.watchOptions(() => undefined)
  expect(names(core)).toEqual([])
  window.ethereum = wallet
  if (emits) window.dispatchEvent(new Event('ethereum#initialized'))
  else vi.advanceTimersByTime(1_000)
  vi.advanceTimersByTime(5_000)
  expect(names(core)).toEqual(['Browser wallet'])
  stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('a wallet that sets window.ethereum late is found when the page looks again', async () => {
  const window = injectOnly()
  const core = open()
  await core.resume()
  expect(names(core)).toEqual([])
  window.ethereum = wallet
  await core.resume()
  expect(names(core)).toEqual(['Browser wallet'])
})
