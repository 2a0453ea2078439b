import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { Agent, Person } from './actors'
import { fund } from './agent'
import { Gate, withoutNode } from './fault-proxy'
import { signIn, story } from './story'

/** A story whose browser can be disconnected from individual services of the test world. */
const outage = story.extend<{
  gate: Gate
  options: BrowserContextOptions
  forgiven: RegExp[]
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  gate: async ({}, use) => {
    const gate = await Gate.start()
    await use(gate)
    gate.end()
  },
  options: async ({ gate }, use) => use({ proxy: gate.proxy }),
  // The browser logs an error for each request that fails.
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  forgiven: async ({}, use) =>
    use([/^console: (Failed to load resource|.*net::ERR_|.*blocked by CORS policy)/]),
})

const away = (page: Page) => page.getByText('Our service is unavailable right now')
const sign = (page: Page) => page.getByRole('button', { name: /my wallet/ }).click()

/** Sets a variable in the page. If it still exists later, the page was not reloaded. */
const mark = (page: Page) => page.evaluate('window.marked = true')
const isMarked = (page: Page) => page.evaluate('window.marked === true')

outage(
  'an outage of the service loses no input and repeats no request',
  async ({ page, world, wallet, gate }) => {
    const agent = await Agent.register(world)
    const title = 'Count the bollards'
    const [task] = await Promise.all([agent.post(title), fund(world, wallet.account)])
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.getByRole('link', { name: 'Apply for this task' }).click()
    const message = page.getByLabel('Your message to the agent')
    await message.fill('I pass there each day.')
    await mark(page)

    // The service answers with 503: the typed text remains in the form, and loaded pages remain
    // visible.
    gate.shut(world.webUrl, 'refusing')
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await page
      .getByRole('heading', { name: 'The server returned an unexpected response.' })
      .waitFor()
    await away(page).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await message.inputValue()).toBe('I pass there each day.')
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('As agreed.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Help' }).click()
    await page.getByRole('heading', { level: 1, name: 'Loading…' }).waitFor()

    // The service is available again: the missing page loads without a reload.
    gate.restore()
    await page.getByRole('heading', { level: 1, name: 'How it works' }).waitFor()
    await away(page).waitFor({ state: 'hidden' })
    await page.goBack()
    await page.getByRole('link', { name: 'Apply for this task' }).click()
    expect(await message.inputValue()).toBe('I pass there each day.')

    // The service handles the request but the response is lost: the retry has no second effect.
    gate.shut(world.webUrl, 'losing answers')
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await page.getByRole('heading', { name: 'We can’t reach the server.' }).waitFor()
    gate.restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Check before you sign' }).waitFor()

    // The service becomes unavailable after the wallet has sent the transaction: the page reads the
    // result from the chain, and the service catches up later.
    wallet.isSlow = true
    await sign(page)
    await page.getByRole('heading', { name: 'Waiting for confirmation…' }).waitFor()
    gate.shut(world.webUrl, 'refusing')
    await wallet.broadcast()
    await page.getByRole('heading', { name: /your stake is locked/ }).waitFor()
    await away(page).waitFor()
    await page.getByRole('link', { name: 'See the task' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    gate.restore()
    await page.getByText('Waiting for the agent').waitFor()
    await away(page).waitFor({ state: 'hidden' })
    expect(await isMarked(page), 'the page was not reloaded').toBe(true)
    const { applications } = await agent.ask<{ applications: { application_message: string }[] }>(
      'GET',
      `/tasks/${task}/applications`,
    )
    expect(applications.map((each) => each.application_message)).toEqual(['I pass there each day.'])
  },
)

outage(
  'an unresponsive service is distinguished from a slow one',
  async ({ page, world, gate }) => {
    await page.goto('/tasks')
    await page.getByText('Call three bakeries').waitFor()
    await mark(page)
    gate.shut(world.webUrl, 'silent')
    await page.getByRole('banner').getByRole('link', { name: 'Help' }).click()
    await page.getByRole('heading', { level: 1, name: 'Loading…' }).waitFor()
    await away(page).waitFor()
    await page.goBack()
    await page.getByText('Call three bakeries').waitFor()
    gate.restore()
    await away(page).waitFor({ state: 'hidden' })

    // The page shows immediately that the browser is offline, without waiting for a request to time
    // out.
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'hidden' })
    expect(await isMarked(page)).toBe(true)
  },
)

outage(
  'without the node, pages are readable and nothing is signed; transactions work again later',
  async ({ page, world, wallet, gate }) => {
    const agent = await Agent.register(world)
    const [task] = await Promise.all([
      agent.post('Count the lighthouses'),
      fund(world, wallet.account),
    ])
    await (await Person.signIn(world, wallet.account)).apply(task)
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.getByText('Waiting for the agent').waitFor()
    await mark(page)
    const asked = () => wallet.asked.filter((method) => /sign|send/.test(method)).length
    const before = asked()

    gate.shut(world.rpcUrl, 'refusing')
    await withoutNode(world, async () => {
      await page.getByRole('button', { name: 'Withdraw' }).click()
      await page.getByRole('heading', { name: /chain/ }).waitFor()
      await page.getByText('We can’t reach the blockchain right now').first().waitFor()
      expect(asked(), 'no wallet request').toBe(before)
      await page.getByRole('banner').getByRole('link', { name: 'Tasks' }).click()
      await page.getByPlaceholder('Search tasks').fill('bakeries')
      await page.getByRole('link', { name: /^Call three bakeries/ }).click()
      await page.getByRole('heading', { level: 1, name: /^Call three bakeries/ }).waitFor()
    })
    gate.restore()
    await page.getByText('We can’t reach the blockchain').waitFor({ state: 'hidden' })
    expect(await isMarked(page)).toBe(true)
    await page.goto(`/tasks/${task}`)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await sign(page)
    await page.getByRole('heading', { name: 'Your stake is back in your wallet.' }).waitFor()
  },
)
