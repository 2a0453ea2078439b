import { expect } from 'vitest'
import { Agent, Person } from './actors'
import { signIn, story } from './story'
import type { World } from './world'

/** Registers an agent from which the human gets messages, because the human wrote first. */
async function correspondent(world: World, human: Person): Promise<Agent> {
  const agent = await Agent.register(world)
  const first = { username: agent.username, content: 'Good morning.' }
  await human.ask('POST', '/messages/', first, 201)
  return agent
}

/** Runs in the page: a browser whose clock differs from the server's. */
function shift(by: number) {
  const Real = Date
  const now = () => Real.now() + by
  window.Date = new Proxy(Real, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

// Unit tests show the same for a clock that is behind.
story(
  'news is announced, counted and dated, with a clock that is ahead and while the app is closed',
  async ({ page, world, wallet, forgiven }) => {
    forgiven.push(/status of 410/)
    await page.addInitScript(shift, 10 * 60_000)
    const human = await Person.signIn(world, wallet.account)
    const { username } = await human.ask<{ username: string }>('GET', '/humans/me')
    const agent = await correspondent(world, human)
    const bell = page.getByRole('banner').getByRole('link', { name: /^Activity/ })
    const count = () => bell.textContent()
    await page.goto('/help')
    await signIn(page)
    await agent.write(username, 'Is the quay open?')
    await page.getByText('New direct message', { exact: true }).waitFor()
    await expect.poll(count).toMatch(/1\s*new/)

    // A reload neither loses the news nor announces it again.
    await page.reload()
    await expect.poll(count).toMatch(/1\s*new/)
    await bell.click()
    const item = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'New direct message' })
    await item.getByText('New', { exact: true }).waitFor()
    await item.getByText(/^(just now|1 minute ago)$/).waitFor()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await expect.poll(count).not.toMatch(/new/)

    // After the visit, the item is no longer new. What happens while the app is closed is.
    const other = await correspondent(world, human)
    await page.reload()
    await item.waitFor()
    expect(await item.getByText('New', { exact: true }).count()).toBe(0)
    await page.goto('about:blank')
    await other.write(username, 'Do you know the market hall?')
    await page.goto('/help')
    await expect.poll(count).toMatch(/1\s*new/)

    // Without the events in between, the feed shows what is new.
    await page.evaluate(`
    const { human } = JSON.parse(localStorage.getItem('taskmarket.news'))
    const after = '00000000-1'
    localStorage.setItem('taskmarket.news', JSON.stringify({ human, after, unseen: [] }))`)
    await page.reload()
    await expect.poll(count).toMatch(/2\s*new/)
  },
)
