import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { Person } from './actors'
import { settled, signIn, story, visit, watch } from './story'

story(
  'a session survives a reload; a user signs out another browser, all browsers, and this one',
  async ({ page, world, wallet, forgiven }) => {
    // Requests after a session has ended fail with 401.
    forgiven.push(/status of 401/)
    await page.goto('/')
    await signIn(page)
    const prompts = () => wallet.asked.filter((method) => !/^eth_(accounts|chainId)$/.test(method))
    const asked = prompts()
    await page.goto('/tasks')
    await page.getByPlaceholder('Search tasks').waitFor()
    await settled(page)
    expect(prompts(), 'a reload sends no wallet request').toEqual(asked)

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

    await page.getByRole('button', { name: /^Sign out of Unknown browser/ }).click()
    await page.getByText('Session ended').waitFor()
    await expect.poll(() => entries.count()).toBe(2)
    await script.ask('GET', '/humans/me', undefined, 401)

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('Signed out everywhere').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    await elsewhere.goto('/settings')
    await elsewhere.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(elsewhere.url()).pathname).toBe('/settings')
    await other.close()
    expect(faults.filter((fault) => !/status of 401/.test(fault))).toEqual([])

    // The address of a page that requires a session leads to the sign-in, and then to the page.
    await page.goto('/activity?type=dm')
    await page.getByText('Sign in to open this page').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    expect(page.url()).toContain('/activity?type=dm')
    await page.locator('summary', { hasText: 'human-' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  },
)

story(
  'a user downloads the account’s data, then deletes the account',
  async ({ page, world, wallet, forgiven }) => {
    // The challenge to sign, and requests after the session has ended.
    forgiven.push(/status of 4(28|01)/)
    await page.goto('/')
    await signIn(page)
    const human = await Person.signIn(world, wallet.account)
    const { username } = await human.ask<{ username: string }>('GET', '/humans/me')

    await page.goto('/settings')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      section: string
      record: object
    }[]
    expect(saved.find(({ section }) => section === 'account')?.record).toMatchObject({ username })

    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    const sign = dialog.getByRole('button', { name: 'Sign and delete' })
    expect(await sign.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(username)
    await sign.click()
    await page.getByText('Your account has been deleted').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  },
)
