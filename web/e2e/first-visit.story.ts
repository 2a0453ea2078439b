import { expect } from 'vitest'
import { settled, signIn, story } from './story'

story.extend({ options: { reducedMotion: 'no-preference' } })(
  'a field shows the server’s error',
  async ({ page, forgiven }) => {
    forgiven.push(/status of 400/)
    await page.goto('/')
    await signIn(page)
    await page.goto('/profile')
    await page.getByLabel('Name', { exact: true }).fill('Mara Lind')
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Skills').fill('photog')
    await page.getByRole('option', { name: 'photography', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
  },
)

story('no script can turn a text into markup', async ({ page, forgiven }) => {
  forgiven.push(/requires 'TrustedHTML' assignment/)
  for (const path of ['/', '/docs', '/rescue']) {
    await page.goto(path)
    const blocked = await page.evaluate(`(() => {
      try { document.createElement('div').innerHTML = '<b>text</b>' } catch (error) { return error.name }
    })()`)
    expect(blocked, path).toBe('TypeError')
  }
})

story('a session survives a reload and ends with sign-out', async ({ page, wallet }) => {
  await page.goto('/')
  await signIn(page)
  const asked = wallet.asked.filter(
    (method) => method !== 'eth_accounts' && method !== 'eth_chainId',
  ).length
  await page.goto('/tasks')
  await page.getByPlaceholder('Search tasks').waitFor()
  await settled(page)
  const after = wallet.asked.filter(
    (method) => method !== 'eth_accounts' && method !== 'eth_chainId',
  ).length
  expect(after, 'a reload sends no wallet request').toBe(asked)

  await page.locator('summary', { hasText: 'human-' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  // The address of a page that requires a session leads to the sign-in, and then to the page.
  for (const [path, title] of [
    ['/work', 'My work'],
    ['/earnings', 'Earnings'],
    ['/messages', 'Messages'],
    ['/validate', 'Validate'],
    ['/activity?type=dm', 'Activity'],
  ] as const) {
    await page.goto(path)
    await page.getByText('Sign in to open this page').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Test wallet/ }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(page.url()).toContain(path)
    await page.locator('summary', { hasText: 'human-' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/')
  }
})
