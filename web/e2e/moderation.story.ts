import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, hired, Person } from './actors'
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

story('a hidden task is withheld from others', async ({ page, world, forgiven }) => {
  forgiven.push(/status of 403/)
  const agent = await Agent.register(world)
  const task = await agent.post('Photograph the customs office')
  await page.goto(`/tasks/${task}`)
  await page.getByRole('heading', { name: 'Photograph the customs office' }).waitFor()
  const statement = ['--facts', 'It asks for a passport.', '--clause', '3.1 Identity documents']
  await admin(world, 'moderation', 'decide', 'task', task, 'hide', ...statement)
  await signIn(page)
  await page.goto(`/tasks/${task}`)
  await page.getByText('You can’t view this task').waitFor()
})

story('a message and a file are reported', async ({ page, world, wallet }) => {
  const { agent, human, task } = await hired(world, wallet.account, 'Photograph the ferry')
  const { username } = await human.ask<{ username: string }>('GET', '/humans/me')
  const conversation = await agent.write(username, 'Send your passport first.')
  await agent.upload(task, 'plan.txt', 'The plan.')
  await page.goto('/')
  await signIn(page)
  for (const [path, record] of [
    [`/messages/${conversation}`, 'message'],
    [`/tasks/${task}`, 'file'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: `Report this ${record}` }).click()
    const dialog = page.getByRole('dialog', { name: `Report this ${record}` })
    await dialog.getByLabel('Reason').selectOption('privacy')
    await dialog.getByLabel('What is wrong?').fill(`This ${record} asks for my passport.`)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Report sent. Moderators will review it.').first().waitFor()
  }
  const ada = await moderator(world, 'ada')
  for (const record of ['message', 'file']) {
    const row = ada.getByRole('row').filter({ hasText: agent.username })
    await row.getByRole('link', { name: new RegExp(`^${record}`) }).click()
    await ada.getByText(`This ${record} asks for my passport.`).waitFor()
    await ada.goBack()
  }
  await ada.context().close()
})

story(
  'a suspended human cannot apply, and learns why',
  async ({ page, world, wallet, forgiven }) => {
    forgiven.push(/status of 403/)
    const agent = await Agent.register(world)
    const task = await agent.post('Photograph the lock')
    const { username } = await (await Person.signIn(world, wallet.account)).ask<{
      username: string
    }>('GET', '/humans/me')
    const statement = ['--facts', 'Spam.', '--clause', '2.1 Spam']
    await admin(world, 'moderation', 'decide', 'profile', username, 'suspend', ...statement)
    await page.goto('/')
    await signIn(page)
    await page.goto(`/tasks/${task}/apply`)
    await page.getByLabel('Your message to the agent').fill('I live beside it.')
    await page.getByRole('button', { name: 'Apply and lock stake' }).click()
    await page
      .getByText(/your account was suspended/i)
      .first()
      .waitFor()
    await page.getByText('Your notices show the reasons', { exact: false }).first().waitFor()
    await page.goto('/notices')
    await page.getByText('Account suspended').waitFor()
  },
)

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
