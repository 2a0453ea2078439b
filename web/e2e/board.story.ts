import { expect } from 'vitest'
import { signIn, story } from './story'

const harbour = 'Photograph the harbour at noon'

story(
  'a search is stored in the address, and saved in this browser under a name',
  async ({ page }) => {
    await page.goto('/')
    await signIn(page)
    await page.goto('/tasks')
    const tasks = page.getByRole('main').getByRole('heading', { level: 3 })
    await tasks.nth(3).waitFor()

    await page.getByPlaceholder('Search tasks').fill('harbour')
    await page.waitForURL(/q=harbour/)
    await expect.poll(() => tasks.allTextContents()).toEqual([harbour])
    await page.getByLabel('Location type').selectOption({ label: 'Remote' })
    await page.getByText('No task matches all of your filters.').waitFor()
    await page.reload()
    await page.getByText('No task matches all of your filters.').waitFor()
    expect(await page.getByPlaceholder('Search tasks').inputValue()).toBe('harbour')
    expect(await page.getByLabel('Location type').inputValue()).toBe('yes')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL((url) => url.search === '')

    await page.getByLabel('Location', { exact: true }).fill('lisb')
    await page
      .getByRole('option', { name: /^Lisbon/ })
      .first()
      .click()
    await page.waitForURL(/place=Lisbon$/)
    await page.getByRole('link', { name: harbour }).waitFor()
    await page.getByRole('button', { name: 'Save this search' }).click()
    await page.goto('/tasks')
    await page.getByRole('button', { name: 'Rename Lisbon' }).click()
    await page.getByLabel('Search name').fill('By the sea')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'By the sea', exact: true }).click()
    await page.waitForURL(/place=Lisbon$/)
    await page.getByRole('button', { name: 'Delete By the sea' }).click()
    await page.getByRole('button', { name: 'Save this search' }).waitFor()
  },
)
