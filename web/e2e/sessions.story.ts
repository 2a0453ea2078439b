import { expect } from 'vitest'
import { Person } from './actors'
import { settled, signIn, story, visit, watch } from './story'

story(
  'a user signs out another browser, then all browsers',
  async ({ page, world, wallet, forgiven }) => {
    // Requests with an ended session.
    forgiven.push(/status of 401/)
    await page.goto('/')
    await signIn(page)
    const other = await visit(world, { viewport: { width: 360, height: 740 } }, wallet)
    const faults = watch(other, world)
    const elsewhere = await other.newPage()
    await elsewhere.goto('/')
    await signIn(elsewhere)
    const script = await Person.signIn(world, wallet.account)

    await page.getByRole('banner').locator('summary').click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Where you’re signed in' }).waitFor()
    await settled(page)
    const entries = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(3)
    expect(await entries.filter({ hasText: 'This browser' }).count()).toBe(1)
    expect(await entries.filter({ hasText: 'Chrome on Linux' }).count()).toBe(2)
    expect(await page.getByText('127.0.0.0/24').count()).toBe(3)

    await page.getByRole('button', { name: /^Sign out Another browser/ }).click()
    await page.getByText('Signed out there').waitFor()
    await expect.poll(() => entries.count()).toBe(2)
    await script.ask('GET', '/humans/me', undefined, 401)

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('Signed out everywhere').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    await elsewhere.goto('/settings')
    await elsewhere.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(elsewhere.url()).pathname).toBe('/')
    await other.close()
    expect(faults.filter((fault) => !/status of 401/.test(fault))).toEqual([])
  },
)
