import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import {
  type Account,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
} from 'viem'
import { expect } from 'vitest'
import { folder } from './folder'
import { signIn, story, visit } from './story'
import type { World } from './world'

const abi = parseAbi([
  'function requiredStake(uint256 taskId) view returns (uint256)',
  'function lockApplicationStake(uint256 taskId, uint256 amount) returns (uint256)',
])

interface Config {
  token: { address: Hex }
  application_staking_address: Hex
}

const read = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

function nodes(world: World, account: Account) {
  const transport = http(world.rpcUrl)
  return {
    wallet: createWalletClient({ account, transport }),
    node: createPublicClient({ transport, pollingInterval: 100 }),
  }
}

/** Applies for a task from this account, only through contract calls. */
async function stake(world: World, account: Account, escrowTaskId: bigint) {
  const config = await read<Config>(`${world.webUrl}/api/v1/config/contracts`)
  const { wallet, node } = nodes(world, account)
  const staking = config.application_staking_address
  const amount = await node.readContract({
    address: staking,
    abi,
    functionName: 'requiredStake',
    args: [escrowTaskId],
  })
  const steps = [
    () =>
      wallet.writeContract({
        chain: null,
        address: config.token.address,
        abi: erc20Abi,
        functionName: 'approve',
        args: [staking, amount],
      }),
    () =>
      wallet.writeContract({
        chain: null,
        address: staking,
        abi,
        functionName: 'lockApplicationStake',
        args: [escrowTaskId, amount],
      }),
  ]
  for (const step of steps) {
    const { status } = await node.waitForTransactionReceipt({ hash: await step() })
    expect(status).toBe('success')
  }
  const balance = () =>
    node.readContract({
      address: config.token.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account.address],
    })
  return { amount, balance }
}

/** Installs a wallet that executes every request from the page without confirmation. */
async function installWallet(context: BrowserContext, world: World, account: Account) {
  const { wallet } = nodes(world, account)
  await context.exposeFunction('__ask', (method: string, [call]: [{ to: Hex; data: Hex }]) => {
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address]
      case 'eth_chainId':
        return numberToHex(world.chainId)
      case 'eth_sendTransaction':
        return wallet.sendTransaction({ chain: null, to: call.to, data: call.data })
    }
    throw new Error(`${method} is not supported`)
  })
  await context.addInitScript(() => {
    const ask = (method: string, params: unknown[]) =>
      (window as unknown as { __ask: (m: string, p: unknown[]) => Promise<unknown> }).__ask(
        method,
        params,
      )
    const provider = {
      request: ({ method, params }: { method: string; params?: unknown[] }) =>
        ask(method, params ?? []),
    }
    const detail = { info: { uuid: 'story', name: 'Test wallet' }, provider }
    window.addEventListener('eip6963:requestProvider', () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  })
}

story(
  'chain events are shown at once, and a stake can be withdrawn without the server',
  { timeout: 180_000 },
  async ({ page, world, wallet }) => {
    await page.goto('/')
    const listens = page.waitForResponse((response) => response.url().includes('/api/v1/events'))
    await signIn(page)
    expect((await listens).status()).toBe(200)
    const faucet = `${world.webUrl}/dev/faucet/${wallet.account.address}`
    await fetch(faucet, { method: 'POST', headers: { Origin: world.webUrl } })
    const id = world.tasks['Translate a letter from Portuguese']
    const task = await page.evaluate(
      async (path) => (await (await fetch(path)).json()) as { escrow_task_id: string },
      `/api/v1/tasks/${id}/`,
    )
    const { amount, balance } = await stake(world, wallet.account, BigInt(task.escrow_task_id))
    await page.getByText('Stake locked').waitFor()

    const copy = resolve(folder, 'rescue.html')
    writeFileSync(copy, await (await fetch(`${world.webUrl}/rescue`)).text())
    const context = await visit(world, {})
    const faults: string[] = []
    context.on('request', (request) => {
      if (request.url().startsWith(world.webUrl)) faults.push(request.url())
    })
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await installWallet(context, world, wallet.account)
    const rescue = await context.newPage()
    await rescue.goto(pathToFileURL(copy).href)
    await rescue.getByLabel(/^Node/).fill(world.rpcUrl)
    await rescue.getByRole('button', { name: 'Connect Test wallet' }).click()
    const before = await balance()
    await rescue.getByRole('button', { name: /^Withdraw your stake/ }).click()
    await rescue.getByText(/^Done: Withdraw your stake/).waitFor()
    expect(await balance()).toBe(before + amount)
    expect(faults).toEqual([])
    await context.close()
    await page
      .getByText(/Application withdrawn|Stake returned/)
      .first()
      .waitFor()
  },
)
