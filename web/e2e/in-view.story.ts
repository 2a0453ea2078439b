import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { Agent, hired } from './actors'
import { fund } from './agent'
import { sign } from './interruptions'
import { shown, signIn, story } from './story'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

const phone = story.extend({
  options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
})

phone('every state of a transaction is in view on a phone', async ({ page, world, wallet }) => {
  const agent = await Agent.register(world)
  const task = await agent.post('Count the gulls')
  await page.goto(`/tasks/${task}/apply`)
  await signIn(page)
  await page.getByLabel('Your message to the agent').fill('I live beside it.\n'.repeat(12))
  // The account has neither tokens nor gas.
  await page.getByRole('button', { name: 'Apply and lock stake' }).click()
  await shown(heading(page, /does not have enough TASK/))
  await page.getByRole('button', { name: 'Close' }).click()
  await fund(world, wallet.account)

  await page.getByRole('button', { name: /lock stake/i }).click()
  await shown(heading(page, 'Check before you sign'))
  wallet.hesitatesAt = 'eth_signTypedData_v4'
  await sign(page)
  await shown(heading(page, 'Sign the permission in your wallet…'))
  wallet.rejects = true
  wallet.answer()
  await shown(heading(page, 'You cancelled in your wallet.'))
  wallet.rejects = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await shown(heading(page, 'Check before you sign'))
  wallet.isSlow = true
  await sign(page)
  await shown(heading(page, 'Waiting for confirmation…'))
  await wallet.broadcast()
  await shown(heading(page, /your stake is locked/))
})

story.extend({ options: { viewport: { width: 1366, height: 650 } } })(
  'a transaction is in view on a laptop, also after a reload',
  async ({ page, world, wallet }) => {
    const { task } = await hired(world, wallet.account, 'Sort the nets')
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.getByText('Can’t do this task?').click()
    await page.getByRole('button', { name: 'Give up this task' }).click()
    await shown(heading(page, 'Check before you sign'))
    wallet.rejects = true
    await sign(page)
    await shown(heading(page, 'You cancelled in your wallet.'))
    wallet.rejects = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await shown(heading(page, 'Check before you sign'))
    wallet.isSlow = true
    await sign(page)
    await shown(heading(page, 'Waiting for confirmation…'))
    await page.reload()
    await shown(heading(page, 'Waiting for confirmation…'))
    await wallet.broadcast()
    await shown(heading(page, 'You gave up the task.'))
  },
)

phone('no toast takes a tap, and form errors are in view', async ({ page, forgiven }) => {
  forgiven.push(/status of 40[09]/)
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('button', { name: /Test wallet/ }).tap()
  const toast = page.getByText(/^Signed in as/)
  await toast.waitFor()
  const first = page.getByRole('button', { name: 'Save and continue' })
  await first.scrollIntoViewIfNeeded()
  // Where the toast is, a tap reaches the page.
  const isThrough = await toast.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    return !each.parentElement?.contains(
      document.elementFromPoint((left + right) / 2, (top + bottom) / 2),
    )
  })
  expect(isThrough).toBe(true)

  const name = page.getByLabel('Name', { exact: true })
  const skills = page.getByRole('combobox', { name: 'Skills' })
  await first.tap()
  await shown(name)
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await name.fill('Mara Lind')
  await first.tap()
  await shown(skills)
  expect(await skills.getAttribute('aria-invalid')).toBe('true')
  const described = await skills.getAttribute('aria-describedby')
  const texts = await Promise.all(
    (described ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()),
  )
  expect(texts.join(' ')).toMatch(/Agents search by skill\..*Choose at least one skill\./)

  // Enter selects the highlighted option; neither Enter nor Tab erases a word or submits the form.
  await skills.fill('photog')
  await page.getByRole('option', { name: 'photography', exact: true }).waitFor()
  await skills.press('Enter')
  await page.getByRole('button', { name: 'Remove photography' }).waitFor()
  await skills.fill('translation')
  await skills.press('Tab')
  await page.getByRole('button', { name: 'Remove translation' }).waitFor()
  await skills.fill('xylography of ferries')
  await skills.press('Enter')
  expect(await skills.inputValue()).toBe('xylography of ferries')
  await skills.press('Tab')
  expect(await skills.inputValue()).toBe('xylography of ferries')
  await skills.fill('')
  await first.tap()
  await shown(page.getByRole('region', { name: 'Your profile is complete' }))

  await page.goto('/profile')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const username = page.getByLabel('Username')
  await username.fill('admin')
  await save.tap()
  await shown(username)
  await username.fill(`mara-${Date.now()}`)
  await save.tap()
  await shown(page.getByText('Profile saved', { exact: true }))
})

story('Back closes a dialog and stays on the page', async ({ page }) => {
  await page.goto('/tasks')
  await page.getByRole('banner').getByRole('link', { name: 'Help' }).click()
  await heading(page, 'How it works').waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL('/help')
  await heading(page, 'How it works').waitFor()
  await page.goBack()
  await page.waitForURL('/tasks')
})
