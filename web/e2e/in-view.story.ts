import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { Agent, hired } from './actors'
import { fund } from './agent'
import { sign } from './interruptions'
import { signIn, story } from './story'

/** Runs in the page: whether an element is in the window, below the header, and covered by nothing. */
function isVisible(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return top >= 64 && bottom <= innerHeight && element.contains(above)
}

const patience = { timeout: 60_000 }

/** Waits until an element has the focus and is in view. */
async function shown(element: Locator) {
  await element.waitFor()
  const focus = () => element.evaluate((each) => each === document.activeElement)
  await expect.poll(focus, { ...patience, message: `${element} has the focus` }).toBe(true)
  await expect
    .poll(() => element.evaluate(isVisible), { ...patience, message: `${element} is in view` })
    .toBe(true)
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

for (const [width, height] of [
  [1366, 650],
  [390, 844],
] as const) {
  story.extend({ options: { viewport: { width, height } } })(
    `every state of a transaction is in view at ${width} × ${height}`,
    async ({ page, world, wallet }) => {
      const agent = await Agent.register(world)
      const task = await agent.post(`Count the gulls at ${width}`)
      await page.goto(`/tasks/${task}/apply`)
      await signIn(page)
      const apply = page.getByRole('button', { name: 'Apply and lock stake' })
      await page.getByLabel('Your message to the agent').fill('I live beside it.\n'.repeat(12))
      // The account has neither tokens nor gas.
      await apply.click()
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
    },
  )
}

story('a failed upload does not hide the review', async ({ page, world, wallet }) => {
  const { task } = await hired(world, wallet.account, 'Photograph the weir')
  await page.goto(`/tasks/${task}/submit`)
  await signIn(page)
  const files = page.locator('input[type=file]')
  const text = { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }
  await files.setInputFiles(text)
  await page.getByRole('alert').getByText('This file is empty.').waitFor()
  await files.setInputFiles({ ...text, name: 'weir.txt', buffer: Buffer.from('a weir') })
  await page.getByLabel('Submit weir.txt').waitFor()
  await page.getByRole('button', { name: 'Submit work', exact: true }).click()
  await shown(heading(page, 'Check before you sign'))
  // The form's effects run again while the review is prepared and shown.
  await page.waitForTimeout(500)
  await shown(heading(page, 'Check before you sign'))
})

story('a transaction on its way is in view after a reload', async ({ page, world, wallet }) => {
  const { task } = await hired(world, wallet.account, 'Sort the nets')
  await page.goto(`/tasks/${task}`)
  await signIn(page)
  await page.getByText('Can’t do this task?').click()
  await page.getByRole('button', { name: 'Give up this task' }).click()
  await heading(page, 'Check before you sign').waitFor()
  wallet.isSlow = true
  await sign(page)
  await heading(page, 'Waiting for confirmation…').waitFor()
  await page.reload()
  await shown(heading(page, 'Waiting for confirmation…'))
  await wallet.broadcast()
  await shown(heading(page, 'You gave up the task.'))
})

story('an answer to a dispute is in view once it is sent', async ({ page, world, wallet }) => {
  const { agent, human, task } = await hired(world, wallet.account, 'Measure the weir')
  await human.submit(task, 'It is 12 m wide.')
  await agent.dispute(task, 'We think that it is wider.')
  await page.goto(`/tasks/${task}`)
  await signIn(page)
  await page.getByLabel('Your answer').fill('I measured it twice.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await shown(page.getByRole('status').filter({ hasText: 'I measured it twice.' }))
})

const phone = story.extend({
  options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
})

phone('form errors and the saved profile are in view on a phone', async ({ page, forgiven }) => {
  forgiven.push(/status of 40[09]/)
  await page.goto('/')
  await signIn(page)
  await page.goto('/profile')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const name = page.getByLabel('Name', { exact: true })
  const username = page.getByLabel('Username')
  const skills = page.getByRole('combobox', { name: 'Skills' })
  await save.tap()
  await shown(name)
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await name.fill('Mara Lind')
  await save.tap()
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

  await username.fill('admin')
  await save.tap()
  await shown(username)
  await username.fill(`mara-${Date.now()}`)
  await save.tap()
  await shown(page.getByText('Profile saved', { exact: true }))
})

phone('a toast takes no tap, and the first steps show their success', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('button', { name: /Test wallet/ }).tap()
  const toast = page.getByText(/^Signed in as/)
  await toast.waitFor()
  const save = page.getByRole('button', { name: 'Save and continue' })
  await save.scrollIntoViewIfNeeded()
  // Where the toast is, a tap reaches the page.
  const isThrough = await toast.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    return !each.parentElement?.contains(
      document.elementFromPoint((left + right) / 2, (top + bottom) / 2),
    )
  })
  expect(isThrough).toBe(true)
  await page.getByLabel('Name', { exact: true }).fill('Mara Lind')
  const skills = page.getByRole('combobox', { name: 'Skills' })
  await skills.fill('photography')
  await skills.press('Enter')
  await save.tap()
  await shown(page.getByRole('region', { name: 'Your profile is complete' }))
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

story(
  'a decided application ends the transaction that locked its stake',
  async ({ page, world, wallet }) => {
    const agent = await Agent.register(world)
    const [task] = await Promise.all([agent.post('Count the steps'), fund(world, wallet.account)])
    await page.goto(`/tasks/${task}/apply`)
    await signIn(page)
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await sign(page)
    await heading(page, /your stake is locked/).waitFor()
    await page.getByRole('link', { name: 'See the task' }).click()
    await heading(page, 'Your stake is locked.').waitFor()
    await agent.reject(task, 'Spam.')
    await page.getByText('You lost your 0.5 TASK stake. It went to the treasury.').waitFor()
    await heading(page, 'Your stake is locked.').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('You lost your 0.5 TASK stake. It went to the treasury.').waitFor()
    expect(await page.getByRole('region', { name: 'Your transaction' }).count()).toBe(0)
    await page.getByRole('link', { name: /^Apply again/ }).waitFor()
  },
)
