import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, type PrivateKeyAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { look as inspect } from './accessibility'
import { Agent, balance, Person, withCode, withoutToken } from './actors'
import { fund } from './agent'
import { Contracts } from './contracts'
import { look, rescue } from './rescue-page'
import { story } from './story'
import type { World } from './world'

/** Returns the node's response to a request, or a falsy value to forward it to the real node. */
type Answer = (method: string, call: { data?: string }) => unknown

const mark = '<img src=x onerror="document.title = 1">'
const word = 'f'.repeat(64)
const reverted = { error: { code: 3, message: 'execution reverted', data: '0x' } }
const symbol = '0x95d89b41'
const getStake = '0xce325bf8'

/** Faulty nodes: a name, the responses by method, and the message that the page must show. */
const lies: [name: string, answer: Answer, says: RegExp][] = [
  ['invalid JSON', () => mark, /unreachable or returned an unexpected response/],
  ['another chain', (method) => method === 'eth_chainId' && { result: '0x1' }, /on chain 1, not/],
  [
    'an endless chain ID',
    (method) => method === 'eth_chainId' && { result: `0x${word.repeat(200)}` },
    /invalid response/,
  ],
  ['no contract', (method) => method === 'eth_getCode' && { result: '0x' }, /no contract at this/],
  [
    'empty views',
    (method) => method === 'eth_call' && { result: '0x' },
    /is not an escrow contract/,
  ],
  ['reverted views', (method) => method === 'eth_call' && reverted, /is not an escrow contract/],
  [
    'a long error in HTML',
    () => ({ error: { code: 1, message: mark.repeat(1_000) } }),
    /Failed: <img/,
  ],
  ['invalid logs', (method) => method === 'eth_getLogs' && { result: [null] }, /invalid response/],
  [
    'an impossible block number',
    (method) => method === 'eth_blockNumber' && { result: '0xffffffffffffffff' },
    /invalid response/,
  ],
  [
    'huge words',
    (method) => method === 'eth_call' && { result: `0x${word.repeat(12)}` },
    /invalid response/,
  ],
  [
    'a token without a symbol',
    (_, { data }) => data === symbol && { result: '0x' },
    /^Items found: 1/,
  ],
  ['a token that reverts', (_, { data }) => data === symbol && reverted, /^Items found: 1/],
]

/**
 * Starts a proxy for the world's node that replaces every response for which `answer` returns a
 * value.
 */
async function liar(world: World) {
  let answer: Answer | 'silence' = () => undefined
  const textOf = async (body: string): Promise<string> => {
    const { method, params } = JSON.parse(body) as { method: string; params: [{ data?: string }] }
    const own = answer !== 'silence' && answer(method, params[0] ?? {})
    if (typeof own === 'string') return own
    if (own) return JSON.stringify({ jsonrpc: '2.0', id: 1, ...own })
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(world.rpcUrl, { method: 'POST', headers, body })).text()
  }
  const server = createServer(async (asked, reply) => {
    reply.setHeader('Access-Control-Allow-Origin', '*')
    reply.setHeader('Access-Control-Allow-Headers', '*')
    const body = Buffer.concat(await asked.toArray()).toString()
    if (asked.method === 'OPTIONS') reply.end()
    else if (answer !== 'silence') reply.end(await textOf(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    says(next: Answer | 'silence') {
      answer = next
    },
    end() {
      server.close()
      server.closeAllConnections()
    },
  }
}

story(
  'a stake is withdrawn on the rescue page, and dishonest nodes are detected',
  async ({ world, wallet, page: served }) => {
    const agent = await Agent.register(world)
    const [task] = await Promise.all([agent.post('Count the wrecks'), fund(world, wallet.account)])
    const before = await balance(world, wallet.account.address)
    await (await Person.signIn(world, wallet.account)).apply(task)
    const stake = before - (await balance(world, wallet.account.address))
    expect(stake).toBe(parseEther('0.5'))
    const { token } = await Contracts.of(world)
    const node = await liar(world)
    try {
      await rescue(world, wallet, async ({ page, faults, look, ...other }) => {
        node.says('silence')
        await other.lookHastily(node.url, /unreachable/)
        await other.lookOverHttps('http://192.0.2.1:8545', /Save a copy of this page and open that/)
        await look(node.url, /Reading the contracts/)
        for (const [name, answer, says] of lies) {
          node.says(answer)
          await look(node.url, says)
          expect(await page.title(), name).toContain('Get your money out')
          const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
          expect(wide, name).toBe(false)
        }
        await look('ws://127.0.0.1', /must begin with https:\/\/ or http:\/\//)
        await look(`http://127.0.0.1:1/${'a'.repeat(100_000)}`, /unreachable/)
        const escrow = page.getByLabel('Escrow contract')
        const address = await escrow.inputValue()
        await escrow.fill(wallet.account.address)
        await look(world.rpcUrl, /no contract at this address/)
        await escrow.fill(token)
        await look(world.rpcUrl, /is not an escrow contract/)
        await escrow.fill(address)

        // The displayed data differs from the data in the contracts, so the wallet must receive no
        // request.
        const take = page.getByRole('button', { name: /^Withdraw your stake/ })
        const promised: Answer = (_, { data }) => {
          const amount = parseEther('500').toString(16).padStart(64, '0')
          const words = [wallet.account.address, '0x', '0x1'].map((hex) => hex.slice(2))
          const [human, none, one] = words.map((hex) => hex.toLowerCase().padStart(64, '0'))
          const lie = `0x${human}${none}${one}${amount}${one}${one}`
          return data?.startsWith(getStake) && { result: lie }
        }
        node.says(promised)
        await look(node.url, /^Items found: 1/)
        await page.getByText('The application ends, and you get 500 TASK back').waitFor()
        await take.click()
        await page.getByText(/wallet’s node returned different data/).waitFor()
        node.says(() => undefined)
        await take.click()
        await page.getByText(/The data on this page is out of date. Nothing was sent/).waitFor()
        await look(world.rpcUrl, /^Items found: 1/)
        await page.getByText('The application ends, and you get 0.5 TASK back').waitFor()
        const marked = await page.locator('#found [translate=no]').allTextContents()
        expect(marked).toEqual(expect.arrayContaining(['0.5\u00a0TASK', wallet.account.address]))

        // The wallet is on another chain and does not switch.
        wallet.chainId = 10
        wallet.knows.clear()
        await take.click()
        await page.getByText(/Your wallet is on another chain. .* Nothing was sent/).waitFor()
        wallet.knows.add(world.chainId)
        wallet.rejects = true
        await take.click()
        await page.getByText('You cancelled in your wallet. Nothing was sent.').waitFor()
        expect(wallet.asked).not.toContain('eth_sendTransaction')

        // The node fails once the transaction has been mined.
        wallet.rejects = false
        await look(node.url, /^Items found: 1/)
        const isSent = () => wallet.asked.includes('eth_sendTransaction')
        node.says((method) => isSent() && method !== 'eth_getTransactionReceipt' && reverted)
        await take.click()
        await page
          .getByText(/^Done: Withdraw your stake.* The list could not be loaded again/)
          .waitFor()
        expect(await balance(world, wallet.account.address)).toBe(before)
        expect(faults).toEqual([])
      })
    } finally {
      node.end()
    }

    await served.goto('/rescue')
    await served.getByRole('button', { name: 'Connect Test wallet' }).click()
    await served.getByText('This wallet has nothing in the contracts.').waitFor()
    await served.getByLabel(/^Chain/).fill('1')
    await served.getByRole('button', { name: 'Connect Test wallet' }).click()
    await served.getByText(/not on chain 1\. Nothing was sent/).waitFor()
  },
)

/**
 * Returns the URL of the world's node with another host name, as if a user entered a different
 * node.
 */
const elsewhere = ({ rpcUrl }: World) => rpcUrl.replace(/127\.0\.0\.1|localhost/, 'node.localhost')

story.extend({ forgiven: [/^asked: http:\/\/node\.localhost:/] })(
  'tasks are cancelled on the rescue page and on a copy of it; a failed payment is withdrawn',
  async ({ world, wallet, page: served }) => {
    const me = wallet.account
    await fund(world, me)
    const contracts = await Contracts.of(world)
    const before = await balance(world, me.address)
    const first = await contracts.post(me, parseEther('10'))
    const second = await contracts.post(me, parseEther('0.25'))
    expect(await balance(world, me.address)).toBe(before - parseEther('10.25'))

    await served.goto('/rescue')
    await look(served, elsewhere(world), /^Items found: 2/)
    await served.getByText('The task ends for good, and you get 10 TASK back').waitFor()
    await served.getByRole('button', { name: `Cancel the task: Task ${first}` }).click()
    await served.getByText(/^Done: Cancel the task/).waitFor()
    expect(await balance(world, me.address)).toBe(before - parseEther('0.25'))

    await rescue(world, wallet, async ({ page, faults, look }) => {
      await withoutToken(world, async () => {
        await look(world.rpcUrl, /^Items found: 2/)
        await page.getByRole('button', { name: `Cancel the task: Task ${second}` }).click()
        await page.getByText(/^Done: Cancel the task/).waitFor()
      })
      expect(await balance(world, me.address)).toBe(before - parseEther('0.25'))
      await look('', /^Items found: 3/) // if the user enters no node URL, the page uses the wallet's node
      await page.getByText('Sends 0.25 TASK to your wallet.').waitFor()
      await page.getByRole('button', { name: /^Withdraw: Money waiting/ }).click()
      await page.getByText(/^Done: Withdraw/).waitFor()
      expect(await balance(world, me.address)).toBe(before)
      expect(faults).toEqual([])
    })
  },
)

// The code of a contract wallet that accepts any signature.
const credulous: Hex = '0x631626ba7e60e01b60005260206000f3'

story('work is submitted, disputed and decided without the service', async ({ world, wallet }) => {
  const [human, agent] = [wallet.account, privateKeyToAccount(generatePrivateKey())]
  await Promise.all([fund(world, human), fund(world, agent)])
  const before = await balance(world, human.address)
  const contracts = await Contracts.of(world)
  const task = await contracts.hire(agent, human, parseEther('10'))
  const [first, second] = world.validatorKeys.map((key) => privateKeyToAccount(key as Hex))
  if (!first || !second) throw new Error('the test world has fewer than two validators')

  await rescue(world, wallet, async ({ page, faults, look }) => {
    const as = async (account: PrivateKeyAccount, says: RegExp) => {
      wallet.account = account
      await look(world.rpcUrl, says)
    }
    const press = (name: string) =>
      page.getByRole('button', { name: `${name}: Task ${task.id}` }).click()
    const said = (text: RegExp) => page.getByRole('status').getByText(text).waitFor()
    await as(human, /^Items found: 1/)
    await page.getByLabel(/^Hash of the work/).fill(task.workHash)
    await press('Submit the work')
    await said(/^Done: Submit the work/)
    await as(agent, /^Items found: 1/)
    await press('Dispute the work')
    await said(/^Done: Dispute the work/)

    await as(first, /nothing in the contracts/)
    await page.getByLabel(/^Task \(its number/).fill(`${task.id}`)
    const open = page.getByRole('button', { name: 'Look at the task' })
    await open.click()
    await page.getByText(`work with the hash ${task.workHash}`).waitFor()
    await page.getByRole('button', { name: 'Sign to approve' }).click()
    await said(/^Signed\./)
    const signatures = page.getByLabel(/^Signatures/)
    const line = await signatures.inputValue()

    await as(human, /^Items found: 1/)
    await open.click()
    await signatures.waitFor()
    expect(await page.getByRole('button', { name: /^Sign to/ }).count()).toBe(0)
    // The two published verdicts contradict each other.
    const [no, yes] = await Promise.all([
      contracts.verdict(first, task, false),
      contracts.verdict(second, task, true),
    ])
    const refused: [string, RegExp][] = [
      ['', /2 more signatures are needed/],
      [`${line}${line}`, /1 more signature is needed/],
      [JSON.stringify({ verdicts: [no, yes] }), /1 more signature is needed/],
      [mark.repeat(500), /Not a valid signature: "<img/],
      [`0x${'12'.repeat(65)}`, /A contract wallet’s signature needs/],
      [await first.signMessage({ message: 'Hello.' }), /the signer is not one of its validators/],
    ]
    for (const [text, says] of refused) {
      await signatures.fill(text)
      await press('Pay the human')
      await said(says)
    }
    await page.getByText('The human is paid 9.5 TASK and gets the stake of 0.5 TASK').waitFor()
    await inspect(page, 'rescue-verdict')
    const long = JSON.stringify({ validator: second.address, signature: `0x${'ab'.repeat(99)}` })
    await signatures.fill(`${line}\n${long}`)
    await press('Pay the human')
    await said(/The contract does not allow this now/)
    await withCode(world, second.address, credulous, async () => {
      await press('Pay the human')
      await said(/^Done: Pay the human/)
    })
    expect(faults).toEqual([])
  })
  expect(await balance(world, human.address)).toBe(before + task.payout)
})
