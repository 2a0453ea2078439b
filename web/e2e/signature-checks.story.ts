import type { Page, Route } from 'playwright-core'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { Agent, Person } from './actors'
import { fund } from './agent'
import { sign } from './interruptions'
import { signIn, story } from './story'
import type { TestWallet } from './wallet'
import type { World } from './world'

// Changes between the review of a transaction and its signature: the wallet switches accounts or
// chains, another tab sends first, or the server or the wallet does something other than announced.

// All stories in this file share one agent, which posts the tasks.
let agent: Promise<Agent> | undefined
const theAgent = (world: World) => {
  agent ??= Agent.register(world)
  return agent
}

/** Posts a task and opens its page as a signed-in user with funds. */
async function visitTask(page: Page, world: World, wallet: TestWallet, title: string) {
  const [task] = await Promise.all([
    theAgent(world).then((each) => each.post(title)),
    fund(world, wallet.account),
  ])
  await page.goto(`/tasks/${task}`)
  await signIn(page)
  await heading(page, title)
}

async function apply(page: Page) {
  await page.getByRole('link', { name: 'Apply for this task' }).click()
  await page.getByRole('button', { name: 'Apply and lock stake' }).click()
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor()
const reviewed = (page: Page) => heading(page, 'Check before you sign')
const locked = (page: Page) => heading(page, /your stake is locked/i)
const isAsked = (wallet: TestWallet) =>
  expect.poll(() => wallet.isAsked, { timeout: 60_000 }).toBe(true)
const signatures = (wallet: TestWallet) =>
  wallet.asked.filter((method) => /^(eth_sign|eth_send|wallet_send|personal)/.test(method))

/**
 * Runs in the page: announces a wallet with the same EIP-6963 `rdns` as the test wallet, and one
 * without a valid name.
 */
function announceTwin() {
  const provider = {
    request: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
    on() {},
    removeListener() {},
  }
  const infos = [
    { uuid: 'twin', name: 'Twin', icon: 'https://elsewhere.example/', rdns: 'example.wallet' },
    { uuid: 'nameless', name: 5, icon: 5, rdns: 'example.nameless' },
  ]
  const say = () => {
    for (const info of infos) {
      const detail = { info, provider }
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
  }
  window.addEventListener('eip6963:requestProvider', say)
}

/**
 * Changes the server's responses to matching requests until the returned function is called. That
 * function removes all of the page's routes, and errors of requests in progress do not fail the story.
 */
async function alterAnswers<T>(page: Page, path: string, change: (answer: T) => object) {
  const tamper = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as T) })
  }
  await page.route(path, tamper)
  return () => page.unrouteAll({ behavior: 'ignoreErrors' })
}

story(
  'a switched wallet gets no request, two tabs send one, and a lost response is recovered',
  async ({ page, world, wallet }) => {
    await visitTask(page, world, wallet, 'Count the piers')
    await apply(page)
    await reviewed(page)
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByRole('button', { name: 'Lock stake' }).click()
    await reviewed(second)

    // Between the two signatures the wallet switches to another network without emitting an event.
    wallet.hesitatesAt = 'eth_signTypedData_v4'
    await sign(page)
    await isAsked(wallet)
    wallet.chainId = 10
    wallet.answer()
    await heading(page, 'Your wallet is on another network.')
    const permitted = ['personal_sign', 'eth_signTypedData_v4']
    expect(signatures(wallet)).toEqual(permitted)

    wallet.hesitatesAt = 'eth_sendTransaction'
    await page.getByRole('button', { name: 'Switch network' }).click()
    await isAsked(wallet)
    await sign(second)
    await heading(second, 'Another tab is already asking your wallet for this.')
    expect(signatures(wallet)).toEqual([...permitted, 'eth_sendTransaction'])

    wallet.losesAnswers = true
    wallet.isSlow = true
    wallet.answer()
    await page
      .getByText('If you confirmed the transaction in your wallet, it appears here automatically.')
      .waitFor()
    await wallet.broadcast()
    await locked(page)
    await second.getByRole('button', { name: 'Try again' }).click()
    await heading(second, /already has an open application for the task/)
    expect(signatures(wallet)).toEqual([...permitted, 'eth_sendTransaction'])
  },
)

story('manipulated data from the server is not signed', async ({ page, world, wallet }) => {
  const honest = await alterAnswers<{ message: string }>(page, '**/siwe/message*', (answer) => ({
    ...answer,
    message: answer.message.replaceAll('127.0.0.1', 'bank.example'),
  }))
  const title = 'Count the quays'
  const one = await (await theAgent(world)).post(title)
  const other = await (await theAgent(world)).post('Count the moles')
  await fund(world, wallet.account)
  await page.goto(`/tasks/${one}`)
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText(/requested a signature that does not sign you in here/).waitFor()
  expect(signatures(wallet)).toEqual([])
  await honest()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^Signed in as/).waitFor()

  // The server reports a higher payment than the escrow contract would make.
  const fair = await alterAnswers(page, `**/tasks/${one}/`, (task: object) => ({
    ...task,
    payout_amount: `${parseEther('950')}`,
  }))
  await page.reload()
  await page.getByText('950 TASK').waitFor()
  await apply(page)
  await heading(page, 'The data on the blockchain does not match this page. Nothing was signed.')
  await fair()
  await page.reload()
  // The node reports a timestamp that no JavaScript date can represent.
  const timely = await alterAnswers<{ result?: { timestamp?: string } }>(
    page,
    `${world.rpcUrl}/`,
    (it) =>
      it.result?.timestamp
        ? { ...it, result: { ...it.result, timestamp: '0xffffffffffffffff' } }
        : it,
  )
  await page.getByRole('button', { name: 'Lock stake' }).click()
  await heading(page, 'The blockchain node reports an invalid time. Nothing was signed.')
  await timely()
  await page.getByRole('button', { name: 'Try again' }).click()
  await sign(page)
  await locked(page)

  // The server proposes to withdraw a stake other than the displayed one.
  const me = await Person.signIn(world, wallet.account)
  await me.apply(other)
  type OwnApplication = {
    id: string
    onchain_application_id: string
    stake_amount: string
    task_id: string
  }
  const { applications } = await me.ask<{ applications: OwnApplication[] }>(
    'GET',
    '/humans/me/applications',
  )
  const theOther = applications.find(({ task_id }) => task_id === other)
  const { withdraw_stake_calldata } = await me.ask<{ withdraw_stake_calldata: string }>(
    'POST',
    `/tasks/${other}/applications/${theOther?.id}/withdraw`,
    {},
  )
  await alterAnswers(page, '**/withdraw', (answer: object) => ({
    ...answer,
    withdraw_stake_calldata,
  }))
  await alterAnswers<{ applications: OwnApplication[] }>(
    page,
    '**/humans/me/applications*',
    (answer) => ({
      ...answer,
      applications: answer.applications.map((each) => ({
        ...each,
        onchain_application_id: theOther?.onchain_application_id,
      })),
    }),
  )
  await page.goto(`/tasks/${one}`)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await heading(page, 'The data on the blockchain does not match this page. Nothing was signed.')
  expect(signatures(wallet)).toEqual([
    ...['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction'],
  ])
  // Otherwise a changed response that is still in progress would fail when the page is closed.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

story(
  'a rejected batch, a nonce ahead of the node’s and a dropped transaction are handled',
  async ({ page, world, wallet }) => {
    await visitTask(page, world, wallet, 'Count the stairs')
    wallet.batches = true
    wallet.refuses = { method: 'wallet_sendCalls', code: 5760 }
    await apply(page)
    await reviewed(page)
    await sign(page)
    await heading(page, 'Your wallet can’t send both calls in one transaction. Nothing was sent.')
    await page.getByRole('button', { name: 'Try again' }).click()

    // The wallet has sent another transaction that our node has not received. The page must not
    // mistake it for the requested one.
    wallet.isSlow = true
    wallet.ahead = 1
    await sign(page)
    await heading(page, 'Waiting for confirmation…')
    const kept = () => page.evaluate(`localStorage.getItem('taskmarket.transactions')`)
    const before = await kept()
    await wallet.sendAnother()
    await expect.poll(kept, { timeout: 60_000 }).not.toBe(before)
    await heading(page, 'Waiting for confirmation…')

    // The transaction is dropped from the mempool.
    await page.clock.setFixedTime(Date.now() + 10 * 60_000)
    await page.reload()
    await page.getByRole('button', { name: 'Discard' }).click()
    wallet.isSlow = false
    wallet.batches = false
    await page.getByRole('button', { name: 'Lock stake' }).click()
    await sign(page)
    await locked(page)

    // The wallet's transaction succeeds, but it differs from the requested one.
    await page.getByRole('link', { name: 'See the task' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await reviewed(page)
    wallet.sends = { to: wallet.account.address }
    await sign(page)
    await heading(page, 'The transaction was sent, but changed nothing in the contract.')
  },
)

story(
  'an ended session, an outdated version and wallets with the same rdns are handled',
  async ({ page, world, wallet, forgiven }) => {
    // The story causes these HTTP errors on purpose.
    forgiven.push(/status of (401|404)/)
    await page.goto('/help')
    await page.route('**/assets/wallet-core*', (route) => route.fulfill({ status: 404, json: {} }))
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('A newer version of this page is available.').waitFor()
    await page.unroute('**/assets/wallet-core*')
    await page.addInitScript(announceTwin)
    await page.reload()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Twin' }).click()
    await page.getByText('You cancelled in your wallet.').waitFor()
    expect(wallet.asked).toEqual([])

    await visitTask(page, world, wallet, 'Count the lamps')
    await page.getByRole('link', { name: 'Apply for this task' }).click()
    await page.getByLabel('Your message to the agent').fill('They are all on.')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await signIn(page)
    const message = page.getByLabel('Your message to the agent')
    expect(await message.inputValue()).toBe('They are all on.')

    // A page that requires a session, with a section that does not exist.
    await page.goto('/work?part=constructor')
    await heading(page, 'My work')
    await page.waitForURL('/work')
    await page.context().clearCookies()
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Activity/ })
      .click()
    await page.getByText('Your session has ended.').waitFor()
    await page.getByText('Sign in to open this page').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  },
)
