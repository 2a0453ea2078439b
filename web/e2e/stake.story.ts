import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, ask, balance } from './actors'
import { fund } from './agent'
import { leaveInQuestion, leaveWhenSent, sign } from './interruptions'
import { story as base, signIn } from './story'
import type { TestWallet } from './wallet'
import type { World } from './world'

// A browser that translates the pages must not disturb any state of a transaction.
const story = base.extend({ isTranslated: true })

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
  await page.getByText('Sign in to read this task').waitFor()
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return task
}

async function review(page: Page, link: string | RegExp = 'Apply for this task') {
  await page.getByRole('link', { name: link }).click()
  await page.getByText(risk).waitFor()
  await page.getByLabel('Your message to the agent').fill('I live beside it.')
  await page.getByRole('button', { name: 'Apply and lock stake' }).click()
  await page.getByRole('heading', { name: 'Check before you sign' }).waitFor()
}

// The text shown next to each button that locks the stake.
const risk =
  'Locks a stake of 0.5 TASK. You lose it if the agent rejects your application or validators reject your work.'

const locked = (page: Page) =>
  page.getByRole('heading', { name: /your stake is locked/i }).waitFor()
const signatures = (wallet: TestWallet) =>
  wallet.asked.filter((method) => /^(eth_sign|eth_send|wallet_send|personal)/.test(method)).slice(1)

story(
  'a rejection in the wallet and a wrong network can be retried',
  async ({ page, world, wallet }) => {
    await visitTask(page, world, wallet, 'Count the gulls')
    await page.getByText(risk).waitFor()
    const money = page.getByRole('region', { name: 'You may receive' })
    expect(await money.textContent()).toMatch(
      /9\.5 TASK.*In escrow10 TASK.*Fee \(5%\)0\.5 TASK.*Your stake0\.5 TASK/s,
    )
    await review(page)
    wallet.rejects = true
    await sign(page)
    await page.getByRole('heading', { name: 'You cancelled in your wallet.' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    wallet.rejects = false
    // The user signs the permit and rejects the transaction. The permit is not requested again.
    wallet.hesitatesAt = 'eth_sendTransaction'
    await page.getByRole('button', { name: 'Try again' }).click()
    await sign(page)
    await expect.poll(() => wallet.isAsked, { timeout: 60_000 }).toBe(true)
    wallet.rejects = true
    wallet.answer()
    await page.getByRole('heading', { name: 'You cancelled in your wallet.' }).waitFor()
    await page.evaluate('__moveChain("0xa")')
    wallet.chainId = 10
    await page.getByRole('button', { name: 'Try again' }).click()
    await sign(page)
    // Rejecting the network change does not show an error either.
    await page.getByRole('button', { name: 'Switch network' }).click()
    const panel = page.getByRole('region', { name: 'Your transaction' })
    await panel.getByText('You cancelled in your wallet.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    wallet.rejects = false
    await page.getByRole('button', { name: 'Switch network' }).click()
    await locked(page)
    expect(signatures(wallet)).toEqual([
      ...['eth_signTypedData_v4', 'eth_signTypedData_v4'],
      ...['eth_sendTransaction', 'eth_sendTransaction'],
    ])
  },
)

story('a transaction survives a reload and a closed tab', async ({ page, world, wallet }) => {
  const task = await visitTask(page, world, wallet, 'Count the cranes')
  // An application without a stake is withdrawn without a transaction.
  await review(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('link', { name: 'Count the cranes' }).click()
  await page.getByText('Incomplete', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Withdrawn', { exact: true }).waitFor()
  expect(signatures(wallet)).toEqual([])
  await review(page, /^Apply again \(new stake: 0.5 TASK\)$/)
  wallet.hesitatesAt = 'eth_signTypedData_v4'
  await sign(page)
  await expect.poll(() => wallet.isAsked, { timeout: 60_000 }).toBe(true)
  await page.reload()
  await page.getByText('This page has not received a response from your wallet.').waitFor()
  await page.getByText('Nothing was sent. You can continue where you left off.').waitFor()
  wallet.answer()

  // The permit is signed; the user confirms the transaction after a reload.
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Check before you sign' }).waitFor()
  wallet.hesitatesAt = 'eth_sendTransaction'
  await sign(page)
  await expect.poll(() => wallet.isAsked, { timeout: 60_000 }).toBe(true)
  await page.reload()
  await page
    .getByText('If you confirmed the transaction in your wallet, it appears here automatically.')
    .waitFor()
  wallet.isSlow = true
  wallet.answer()
  await expect.poll(() => wallet.hasSigned, { timeout: 60_000 }).toBe(true)
  const other = await page.context().newPage()
  const url = page.url()
  await page.close()
  await wallet.broadcast()
  await other.goto(url)
  await locked(other)

  // The withdrawal is also interrupted twice. It is completed in another tab, with a higher fee.
  await other.goto(`/tasks/${task}`)
  await other.getByRole('button', { name: 'Withdraw' }).click()
  await leaveInQuestion(other, wallet)
  const next = await leaveWhenSent(other, wallet)
  await wallet.broadcast({})
  await next.getByText('Your wallet sent it again with a different fee.').waitFor()
  await next.getByRole('heading', { name: 'Your stake is back in your wallet.' }).waitFor()
})

story(
  'a transaction cancelled in the wallet is reported and can be retried',
  async ({ page, world, wallet }) => {
    await visitTask(page, world, wallet, 'Count the ropes')
    const before = await balance(world, wallet.account.address)
    wallet.batches = true
    await review(page)
    await page.getByRole('heading', { name: /Permission and transaction in one/ }).waitFor()
    await sign(page)
    await locked(page)
    expect(signatures(wallet)).toEqual(['wallet_sendCalls'])

    await page.getByRole('link', { name: 'See the task' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    wallet.isSlow = true
    await sign(page)
    await page.getByRole('heading', { name: 'Waiting for confirmation…' }).waitFor()
    // The transaction fails while another page is open: a toast reports the failure there, once.
    await page.getByRole('banner').getByRole('link', { name: 'Help' }).click()
    await page.getByRole('heading', { level: 1, name: 'How it works' }).waitFor()
    await wallet.broadcast({ to: wallet.account.address, data: '0x' })
    await page
      .getByText('Transaction failed: “Withdraws your application and your stake.”')
      .waitFor()
    await page.goBack()
    await page
      .getByRole('heading', { name: /You cancelled the transaction in your wallet/ })
      .waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await sign(page)
    await page.getByRole('heading', { name: 'Your stake is back in your wallet.' }).waitFor()
    expect(await balance(world, wallet.account.address)).toBe(before)
  },
)

story(
  'a contract account sends an approval before the transaction',
  async ({ page, world, wallet }) => {
    await visitTask(page, world, wallet, 'Count the masts')
    await ask(world, 'anvil_setCode', wallet.account.address, '0x00')
    await page.getByRole('link', { name: 'Apply for this task' }).click()
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await page.getByRole('heading', { name: 'Permission (transaction)' }).waitFor()
    await leaveInQuestion(page, wallet)
    const next = await leaveWhenSent(page, wallet)
    await wallet.broadcast()
    await next.getByRole('heading', { name: 'The permission is confirmed.' }).waitFor()
    await next.getByRole('button', { name: 'Continue' }).click()
    const last = await leaveWhenSent(next, wallet)
    await wallet.broadcast()
    await locked(last)
    expect(signatures(wallet)).toEqual([
      'eth_sendTransaction',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ])
  },
)

story(
  'a rejected applicant loses the stake and reviews the agent; applicants see the record',
  async ({ page, world, wallet }) => {
    const task = await visitTask(page, world, wallet, 'Count the buoys')
    await review(page)
    await sign(page)
    await locked(page)
    await page.getByRole('link', { name: 'See the task' }).click()
    const result = page.getByRole('heading', { name: 'Your stake is locked.' })
    await result.waitFor()
    await (await theAgent(world)).reject(task, 'It praises **another** market.')
    // The decision ends the transaction that locked the stake.
    const lost = page.getByText('You lost your 0.5 TASK stake. It went to the treasury.')
    await lost.waitFor()
    await result.waitFor({ state: 'detached' })
    await page.reload()
    await lost.waitFor()
    expect(await page.getByRole('region', { name: 'Your transaction' }).count()).toBe(0)
    await page.getByRole('heading', { name: 'The agent’s reason' }).waitFor()
    await page.getByText('It praises another market.').waitFor()
    await page.goto('/earnings')
    const losses = page.getByRole('region', { name: 'Lost stakes' })
    await losses.getByText('Total: 0.5 TASK.').waitFor()
    const loss = losses.getByRole('listitem').filter({ hasText: 'Count the buoys' })
    await loss.getByText('The agent rejected your application of').waitFor()
    await loss.getByText('It praises another market.').waitFor()
    await loss.getByText('−0.5 TASK').waitFor()

    await ask(world, 'anvil_mine', '0xc8') // the rejection is final
    await page.goto(`/tasks/${task}`)
    const reviews = page.getByRole('region', { name: 'Reviews of this task' })
    await reviews.getByText('You were not hired, so your rating does not count').waitFor()
    await reviews.getByTitle('Bad').click()
    await reviews.getByLabel('Comment').fill('They take stakes.')
    await look(page, 'task-rejected')
    await reviews.getByRole('button', { name: 'Publish review' }).click()
    await reviews.getByRole('listitem').getByText('After a rejection').waitFor()
    await reviews.getByText('They take stakes.').waitFor()
    await page.getByText('Applications rejected, stakes lost').waitFor()
    await page.getByRole('link', { name: /^Apply again/ }).click()
    await page.getByText('This agent has rejected 1 application for this task and').waitFor()
    await look(page, 'apply-after-rejections')
  },
)
