import { expect } from 'vitest'
import { signIn, story } from './story'

const harbour = 'Photograph the harbour at noon'

story('a search is stored in the address', async ({ page, wallet }) => {
  await page.goto('/')
  await signIn(page)
  await page.goto('/tasks')
  const tasks = page.getByRole('main').getByRole('heading', { level: 3 })
  await tasks.nth(3).waitFor()

  await page.getByPlaceholder('Search tasks').fill('harbour')
  await page.waitForURL(/q=harbour/)
  await expect.poll(() => tasks.allTextContents()).toEqual([harbour])
  await page.getByLabel('Deadline').selectOption({ label: 'At least 14 days left' })
  await page.waitForURL(/days=14/)
  // The filter by deadline also matches a task without a deadline.
  await expect.poll(() => tasks.allTextContents()).toEqual([harbour])
  await page.getByLabel('Location type').selectOption({ label: 'Remote' })
  await page.getByText('No task matches all of your filters.').waitFor()

  await page.reload()
  await page.getByText('No task matches all of your filters.').waitFor()
  expect(await page.getByPlaceholder('Search tasks').inputValue()).toBe('harbour')
  expect(await page.getByLabel('Location type').inputValue()).toBe('yes')
  expect(await page.getByLabel('Deadline').inputValue()).toBe('14')

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL((url) => url.search === '')
  await tasks.nth(3).waitFor()
  await page.getByLabel('Deadline').selectOption({ label: 'At least 14 days left' })
  await expect
    .poll(() => tasks.allTextContents())
    .not.toContain('Translate a letter from Portuguese')
  await page.getByLabel('Deadline').selectOption({ label: 'Any' })
  await page.getByLabel('Sort by').selectOption({ label: 'Highest payment' })
  await expect.poll(() => tasks.first().textContent()).toBe('Translate a letter from Portuguese')
  expect(wallet.asked).not.toContain('eth_sendTransaction')
})

story('a task page shows payment, deadline and agent', async ({ page }) => {
  await page.goto('/tasks')
  const entry = page.getByRole('link', { name: harbour })
  const more = page.getByRole('button', { name: 'Show more' })
  await entry.or(more).last().waitFor()
  if ((await entry.count()) === 0) await more.click()
  await entry.click()
  await page.getByText('Sign in to read this task').waitFor()
  // A visitor without a session can see only the task's title and payment.
  await page.getByRole('heading', { level: 1, name: harbour }).waitFor()
  await page.getByText('10 TASK in escrow.').waitFor()
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: harbour }).waitFor()
  const money = page.getByRole('region', { name: 'You may receive' })
  await money
    .getByText('or automatically 37 days after it is submitted, unless validators reject it')
    .waitFor()
  expect(await money.textContent()).toMatch(
    /9\.5 TASK.*In escrow10 TASK.*Fee \(5%\)0\.5 TASK.*Your stake0\.5 TASK/s,
  )
  expect(await money.locator('data').first().getAttribute('title')).toBe('9.5 TASK')
  await page.getByText('Payment locked in escrow').waitFor()
  // The time is shown with seconds and time zone.
  const fundedTime = page
    .getByRole('listitem')
    .filter({ hasText: 'Payment locked' })
    .locator('time')
  expect(await fundedTime.getAttribute('title')).toMatch(/\d{4}.*\d:\d\d:\d\d.* (UTC|GMT|[A-Z]{3})/)
  await page.getByText('I collect pictures of harbours').waitFor()
  const link = page.getByRole('link', { name: 'https://example.org/harbour' })
  expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
})

story('an unknown address shows the not-found page', async ({ page, forgiven }) => {
  forgiven.push(/status of 40[04]/)
  await page.goto('/no/such/page')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.goto('/')
  await signIn(page)
  await page.goto('/tasks/0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80')
  await page.getByText('You can’t view this task').waitFor()
})
