import type { Page } from 'playwright-core'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { Agent, ask, balance, decide, Person } from './actors'
import { fund } from './agent'
import { Keyboard, observe } from './keyboard'
import { story } from './story'
import type { TestWallet } from './wallet'
import type { World } from './world'

// Follows a human from the first visit to the payment in the wallet, using only the keyboard.

const title = 'Photograph the tide gauge at low water'

interface Scene {
  page: Page
  keys: Keyboard
  world: World
  wallet: TestWallet
}

/** Signs in and checks that the dialog traps the focus and restores it afterwards. */
async function signInAtTheTask({ page, keys }: Scene) {
  const dialog = page.getByRole('dialog', { name: 'Sign in with your wallet' })
  const signIn = page.getByRole('main').getByRole('button', { name: 'Sign in' })
  await keys.press(signIn)
  await dialog.getByRole('button', { name: /Test wallet/ }).waitFor()
  const focused = () => dialog.locator(':focus').count()
  await expect.poll(focused, { message: 'the focus goes into the dialog' }).toBe(1)
  for (const _ of [1, 2, 3, 4, 5]) {
    await keys.stop()
    await expect.poll(focused, { message: 'the focus stays in the dialog' }).toBe(1)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => signIn.evaluate((each) => each === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await keys.press(dialog.getByRole('button', { name: /Test wallet/ }))
  await page.getByText(/^Signed in as/).waitFor()
}

async function setUpProfile({ page, keys }: Scene) {
  const menu = page.locator('summary', { hasText: 'human-' })
  const firstSteps = page.getByRole('link', { name: 'First steps' })
  await keys.press(menu)
  await keys.to(firstSteps)
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.evaluate((each) => each === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await keys.press(firstSteps)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await keys.press(page.getByRole('button', { name: 'Save and continue' }))
  await page.getByText('Enter a name.').waitFor()
  await keys.to(page.getByLabel('Name', { exact: true }), 'Shift+Tab')
  await page.keyboard.type('Mara Lind')
  await keys.type(page.getByLabel('Skills'), 'drone')
  await page.getByRole('option', { name: 'drone photography', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await keys.type(page.getByLabel('Location', { exact: true }), 'Lisbon')
  await page.keyboard.press('Escape')
  await keys.type(page.getByLabel(/Hourly rate/), '2.5')
  await keys.press(page.getByRole('button', { name: 'Save and continue' }))
  await page.getByRole('heading', { name: 'You’re all set' }).waitFor()
}

/** Posts the code on the test social network and returns the post's URL. */
async function linkAnAccount({ page, keys, world }: Scene) {
  const card = page.getByRole('region', { name: 'Link a social account' })
  const opened = page.context().waitForEvent('page')
  await keys.press(card.getByRole('link', { name: `Post on ${new URL(world.social).host}` }))
  const network = await opened
  await network.getByLabel('Post as').waitFor()
  await network.keyboard.type('mara')
  await network.keyboard.press('Enter')
  await network.waitForURL(/@mara\/\d+$/)
  const address = network.url()
  await network.close()
  await keys.type(card.getByLabel('Post address'), address)
  await page.keyboard.press('Enter')
  await page.getByText('Account linked').waitFor()
  await page
    .getByRole('region', { name: 'Your linked account' })
    .getByText('mara on 127.0.0.1')
    .waitFor()
}

/** Waits for the review of a transaction, confirms it and returns the displayed terms. */
async function sign({ page, keys }: Scene) {
  const panel = page.getByRole('region', { name: 'Your transaction' })
  const heading = panel.getByRole('heading', { name: 'Check before you sign' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((each) => each === document.activeElement)).toBe(true)
  const text = (await panel.textContent()) ?? ''
  await keys.press(panel.getByRole('button', { name: 'Open my wallet' }))
  return text
}

async function apply(scene: Scene) {
  const { page, keys, wallet } = scene
  await keys.press(page.getByRole('link', { name: 'See open tasks' }))
  await keys.type(page.getByPlaceholder('Search tasks'), 'tide gauge')
  await page.waitForURL(/q=tide/)
  await keys.press(page.getByRole('link', { name: title }))
  await keys.press(page.getByRole('link', { name: 'Apply for this task' }))
  await keys.type(page.getByLabel('Your message to the agent'), 'I live beside the harbour.')
  const asked = wallet.asked.length
  await keys.press(page.getByRole('button', { name: 'Apply and lock stake' }))
  const review = await sign(scene)
  expect(review).toMatch(/TASK 0x.*Exact amount0\.5 TASK.*Application stakes 0x.*Valid until/s)
  await page.getByRole('heading', { name: /your stake is locked/ }).waitFor()
  const signatures = wallet.asked.slice(asked).filter((method) => /sign|send/i.test(method))
  expect(signatures).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
  // Mines 72 blocks, because finality takes two epochs of 32 blocks.
  await ask(scene.world, 'anvil_mine', '0x48')
  await page.getByText('The transaction is final.').waitFor({ state: 'attached' })
  await keys.press(page.getByRole('link', { name: 'See the task' }))
  await page.getByText('Waiting for the agent').waitFor()
}

async function submitWork(scene: Scene) {
  const { page, keys } = scene
  await keys.press(page.getByRole('link', { name: 'My work' }))
  await keys.press(page.getByRole('main').getByRole('link', { name: 'Submit work' }).first())
  await keys.type(page.getByLabel('Note'), 'Taken at 11:52, from the north quay.')
  const chooser = page.waitForEvent('filechooser')
  await keys.press(page.locator('input[type=file]'))
  await (await chooser).setFiles({
    name: 'gauge.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('2.41 m'),
  })
  await page.getByLabel('Submit gauge.txt').waitFor()
  await keys.press(page.getByRole('button', { name: 'Submit work', exact: true }))
  await sign(scene)
  await page.getByText('Your work was submitted').first().waitFor()
}

async function checkEarnings({ page, keys }: Scene) {
  await keys.press(page.locator('summary', { hasText: 'Mara Lind' }))
  await keys.press(page.getByRole('banner').getByRole('link', { name: 'Earnings' }))
  const figures = page.getByRole('main').getByRole('definition')
  await expect
    .poll(() => figures.first().textContent(), { timeout: 60_000 })
    .toMatch(/^9\.5 TASK1 task, after fees/)
}

async function review({ page, keys }: Scene) {
  await keys.press(page.getByRole('main').getByRole('link', { name: title }))
  const form = page.getByRole('region', { name: 'Your review' })
  await keys.to(form.getByRole('radio', { name: '1 of 5, Bad' }))
  await page.keyboard.press('Space')
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowRight')
  await keys.type(form.getByRole('textbox'), 'Clear task, paid on the day.')
  await keys.press(form.getByRole('button', { name: 'Publish review' }))
  await page.getByText('Review published').waitFor()
  const shown = page.getByRole('region', { name: 'Reviews of this task' }).getByRole('listitem')
  await shown.getByText('Clear task, paid on the day.').waitFor()
  await shown.getByRole('img', { name: '5 of 5 stars' }).waitFor()
}

story(
  'a new user finds a task, does it and is paid, using only the keyboard',
  { timeout: 300_000 },
  async ({ page, world, wallet, forgiven }) => {
    // Requests to the social network are expected, because the user opens it.
    forgiven.push(new RegExp(`^asked: ${world.social}`))
    const seen = await observe(page.context())
    const scene: Scene = { page, keys: new Keyboard(page), world, wallet }
    const { keys } = scene
    const [agent] = await Promise.all([Agent.register(world), fund(world, wallet.account)])
    const task = await agent.post(title)
    const before = await balance(world, wallet.account.address)

    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await keys.stop()
    // Activates the skip link, which is the first Tab stop.
    await page.keyboard.press('Enter')
    expect(await page.locator('main:focus').count()).toBe(1)
    await keys.press(page.getByRole('main').getByRole('link', { name: 'Find a task' }))
    await keys.press(page.getByRole('main').getByRole('link', { name: title }))
    await page.getByText('Sign in to read this task').waitFor()
    expect(wallet.asked, 'no wallet request').toEqual([])
    await signInAtTheTask(scene)
    await setUpProfile(scene)
    await linkAnAccount(scene)

    await apply(scene)
    expect(before - (await balance(world, wallet.account.address))).toBe(parseEther('0.5'))
    await agent.accept(task)
    await submitWork(scene)
    await agent.until(task, 'submitted')
    await agent.approve(task)
    await decide(world, task, true, 'As agreed.')
    await agent.until(task, 'approved')
    expect((await balance(world, wallet.account.address)) - before).toBe(parseEther('9.5'))

    await checkEarnings(scene)
    await review(scene)
    const human = await (await Person.signIn(world, wallet.account)).ask<object>(
      'GET',
      '/humans/me',
    )
    expect(human).toMatchObject({ display_name: 'Mara Lind', is_verified: true, handle: 'mara' })
    expect(human).toMatchObject({
      hourly_rate: `${parseEther('2.5')}`,
      skills: ['drone photography'],
    })
    expect(seen.pointed, 'no mouse event occurred').toEqual([])
    expect(seen.lost, 'the focus is never lost').toEqual([])
    expect(seen.said).toEqual(expect.arrayContaining(announced))
  },
)

// Texts that the live region announces during the stake's transaction. Its panel is already shown.
const announced = [
  'Check what you will sign.',
  'Sign the permission in your wallet.',
  'Confirm the transaction in your wallet.',
  'Sent. Waiting for confirmation.',
  'Your application was sent, and your stake is locked. The transaction is confirmed.',
  'Your application was sent, and your stake is locked. The transaction is final.',
]
