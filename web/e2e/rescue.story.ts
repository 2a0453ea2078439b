import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { fund } from './agent'
import { Agent, balance, Person } from './people'
import { rescue } from './rescue'
import { story } from './story'
import type { World } from './world'

type Answer = (method: string) => unknown

const mark = '<img src=x onerror="document.title = 1">'
const word = 'f'.repeat(64)

/** What nodes say that lie or are broken: by method, else the truth; and what the page says then. */
const lies: [name: string, answer: Answer, says: RegExp][] = [
  ['no JSON', () => mark, /cannot be reached, or does not answer as nodes do/],
  ['another chain', (method) => method === 'eth_chainId' && { result: '0x1' }, /of chain 1, not/],
  ['no contract', (method) => method === 'eth_getCode' && { result: '0x' }, /no contract at this/],
  ['empty views', (method) => method === 'eth_call' && { result: '0x' }, /makes no sense/],
  ['a refusal in HTML', () => ({ error: { code: 1, message: mark } }), /That did not work: <img/],
  ['odd logs', (method) => method === 'eth_getLogs' && { result: [null] }, /makes no sense/],
  [
    'huge words',
    (method) => method === 'eth_call' && { result: `0x${word.repeat(12)}` },
    /Found 2/,
  ],
]

/** A node that passes on what it is asked to the world's, except where it has an answer of its own. */
async function liar(world: World) {
  let answer: Answer | 'silence' = () => undefined
  const textOf = async (body: string): Promise<string> => {
    const own = answer !== 'silence' && answer((JSON.parse(body) as { method: string }).method)
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
  'a stake comes back with a wallet and a node alone, whatever other nodes say',
  async ({ world, wallet, page: served }) => {
    const agent = await Agent.register(world)
    const [task] = await Promise.all([agent.post('Count the wrecks'), fund(world, wallet.account)])
    const before = await balance(world, wallet.account.address)
    await (await Person.signIn(world, wallet.account)).apply(task)
    const stake = before - (await balance(world, wallet.account.address))
    expect(stake).toBeGreaterThan(0n)
    const node = await liar(world)
    try {
      await rescue(world, wallet, async ({ page, faults, look }) => {
        node.says('silence')
        await look(node.url, /Reading the contracts/)
        for (const [name, answer, says] of lies) {
          node.says(answer)
          await look(node.url, says)
          expect(await page.title(), name).toContain('Get your money out')
        }
        await look(world.rpcUrl, /^Found 1/)

        // The wallet is on another chain, and stays there.
        const take = page.getByRole('button', { name: /^Take the stake back/ })
        wallet.chainId = 10
        wallet.knows.clear()
        await take.click()
        await page.getByText(/Your wallet is on another chain. .* Nothing was sent/).waitFor()
        wallet.knows.add(world.chainId)
        wallet.rejects = true
        await take.click()
        await page.getByText('You declined in your wallet; nothing was sent.').waitFor()
        expect(wallet.asked).not.toContain('eth_sendTransaction')

        wallet.rejects = false
        await take.click()
        await page.getByText(/^Done: Take the stake back/).waitFor()
        expect(await balance(world, wallet.account.address)).toBe(before)
        expect(faults).toEqual([])
      })
    } finally {
      node.end()
    }

    await served.goto('/rescue')
    await served.getByRole('button', { name: 'Look with Test wallet' }).click()
    await served.getByText('This wallet has nothing in the contracts.').waitFor()
    await served.getByLabel(/^Chain/).fill('1')
    await served.getByRole('button', { name: 'Look with Test wallet' }).click()
    await served.getByText(/not of chain 1\. Nothing was sent/).waitFor()
  },
)
