import { expect } from 'vitest'
import { settled, signIn, story } from './story'

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
  await page.goto('/activity?type=dm')
  await page.getByText('Sign in to open this page').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  expect(page.url()).toContain('/activity?type=dm')
})
