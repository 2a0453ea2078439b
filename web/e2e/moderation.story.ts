import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, Person } from './actors'
import { folder } from './folder'
import { signIn, story, visit } from './story'
import { TestWallet } from './wallet'
import type { World } from './world'

const run = promisify(execFile)

/** Runs a command of `taskmarketd admin` on the world's database. */
async function admin(world: World, ...args: string[]): Promise<string> {
  const env = readFileSync(resolve(folder, 'env'), 'utf8')
  const url = /^TASKMARKET_DEV_DATABASE_URL=(.*)$/m.exec(env)?.[1]
  const program = resolve(import.meta.dirname, '../../bin/taskmarketd')
  const { stdout } = await run(program, ['admin', ...args], {
    env: {
      ...process.env,
      TASKMARKET_DATABASE_URL: url,
      TASKMARKET_CONSOLE_URL: world.consoleUrl,
    },
  })
  return stdout.trim()
}

/** Signs an operator in to the console, in a browser context of their own. */
async function moderator(world: World, name: string): Promise<Page> {
  const page = await (await visit(world, {})).newPage()
  await page.goto(await admin(world, 'sign-in', '--operator', name))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: 'Moderation' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor()
  return page
}

const comment = 'See https://evil.example <b>now</b>'

story('a profile is limited, and an appeal reverses this', async ({ page, world, wallet }) => {
  const human = await Person.signIn(world, wallet.account)
  const { username } = await human.ask<{ username: string }>('GET', '/humans/me')

  const stranger = new TestWallet(world)
  const context = await visit(world, {}, stranger)
  const other = await context.newPage()
  await other.goto(`/humans/${username}`)
  await signIn(other)
  await other.goto(`/humans/${username}`)
  await other.getByRole('button', { name: 'Report' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').getByText('Choose a reason.').waitFor()
  await dialog.getByLabel('Reason').selectOption({ label: 'Threats, hate or harassment' })
  await dialog.getByLabel('What is wrong?').fill(comment)
  await look(other, 'report', true)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText(/^Send this report\? Reason: Threats/).waitFor()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await other.getByText('Report sent. Moderators will review it.').waitFor()
  await context.close()

  const ada = await moderator(world, 'ada')
  await look(ada, 'console-moderation')
  const row = ada.getByRole('row').filter({ hasText: username })
  await row.getByRole('link', { name: /^profile/ }).click()
  await ada.getByText(comment).waitFor()
  expect(await ada.locator('a[href*="evil.example"], main b').count()).toBe(0)
  await look(ada, 'console-case')
  await ada.getByLabel('Measure').selectOption('limit')
  await ada.getByLabel('Facts').fill('The profile threatens people.')
  await ada.getByLabel('Clause').fill('3.1 Threats')
  await ada.getByRole('button', { name: 'Impose the measure' }).click()
  await ada.getByText(`Impose the measure “limit” on the profile of ${username}?`).waitFor()
  await look(ada, 'console-measure')
  await ada.getByRole('button', { name: 'Impose the measure' }).click()
  await ada.getByRole('status').getByText('The decision has been recorded.').waitFor()

  await page.goto('/activity')
  await signIn(page)
  await page.goto('/activity')
  await page.getByRole('link', { name: 'Moderators acted on your content or account' }).click()
  await page.getByText('The profile threatens people.').waitFor()
  await look(page, 'notices')
  await page.getByLabel('Why is the decision wrong?').fill('It was about the weather.')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await page.getByText('Waiting for another moderator').waitFor()

  await ada.reload()
  await ada.getByText('another person must decide the appeal').waitFor()
  await ada.context().close()
  const ben = await moderator(world, 'ben')
  const appeals = ben.getByRole('region', { name: 'Appeals' })
  await appeals
    .getByRole('link', { name: /^profile/ })
    .last()
    .click()
  await ben.getByText('It was about the weather.').waitFor()
  await look(ben, 'console-appeal')
  await ben.getByLabel('Outcome').selectOption('reversed')
  await ben.getByLabel('Reasons').fill('You are right.')
  await ben.getByRole('button', { name: 'Decide the appeal' }).click()
  await ben.getByRole('button', { name: 'Reverse the decision' }).click()
  await ben.getByRole('status').getByText('The decision is reversed.').waitFor()
  await look(ben, 'console-case-decided')
  await ben.context().close()

  await page.reload()
  await page.getByText('Successful: the measure has ended').waitFor()
  await page.getByText('You are right.').waitFor()
})

story('an operator can require a minimum age and link its rules', async ({ page, world }) => {
  const agent = await Agent.register(world)
  const task = await agent.post('Photograph the brewery')
  await page.route('**/config/instance', async (route) => {
    const response = await route.fetch()
    const links = {
      terms_url: 'https://operator.example/terms',
      contact_url: 'https://operator.example/contact',
    }
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), minimum_age: 18, ...links },
    })
  })
  await page.goto('/')
  await signIn(page)
  const footer = page.getByRole('contentinfo')
  expect(await footer.getByRole('link', { name: 'Terms' }).getAttribute('href')).toMatch(/terms$/)
  expect(await footer.getByRole('link', { name: 'Privacy' }).count()).toBe(0)
  await page.goto(`/tasks/${task}/apply`)
  await page.getByRole('heading', { name: 'Confirm your age' }).waitFor()
  await look(page, 'age')
  await page.getByRole('button', { name: 'I am 18 or older' }).click()
  await page.getByLabel('Your message to the agent').waitFor()
})
