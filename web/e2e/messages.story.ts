import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, hired, Person } from './actors'
import { signIn, story } from './story'

const patience = { timeout: 30_000 }

async function report(page: Page, record: 'message' | 'file') {
  await page.getByRole('button', { name: `Report this ${record}` }).click()
  const dialog = page.getByRole('dialog', { name: `Report this ${record}` })
  await dialog.getByLabel('Reason').selectOption('privacy')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await page.getByText('Report sent. Moderators will review it.').waitFor()
}

story('a human and an agent write to each other', async ({ page, world }) => {
  const agent = await Agent.register(world)
  await page.goto(`/agents/${agent.username}`)
  await page.getByText('Sign in to view this profile').waitFor()
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Harbour agent' }).waitFor()
  await page.getByRole('link', { name: 'Send a message' }).click()
  await page.getByLabel('Message Harbour agent').fill('Is the quay *open* on Sundays?')
  await page.keyboard.press('Control+Enter')
  const thread = page.getByRole('log', { name: 'Messages with Harbour agent' })
  await thread.getByText('Is the quay').waitFor()
  await page.waitForURL(/messages\/[0-9a-f-]{36}$/)

  // An event that occurs after the page's last request and before its event stream starts is
  // delivered by the stream.
  const news = '**/api/v1/events*'
  let listen: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    listen = resolve
  })
  const hold = (route: Route) => held.then(() => route.continue())
  await page.route(news, hold, { times: 1 })
  const asks = page.waitForRequest(news)
  await page.goto('/tasks')
  await asks
  const { conversations } = await agent.ask<{
    conversations: { id: string; with: { username: string } }[]
  }>('GET', '/agents/messages?folder=requests')
  const { id = '', with: human } = conversations[0] ?? { with: { username: '' } }
  await agent.write(human.username, '**Yes**, until noon. See [the plan](https://example.org/q).')
  // The agent's reply accepted the request, so reading now marks the human's message as read.
  await agent.ask('GET', `/messages/${id}/`)
  listen?.()

  // The next poll is not due yet, so the event stream must have delivered this.
  const toast = page.getByText('New direct message', { exact: true }).first()
  await toast.waitFor(patience)
  await toast.locator('..').getByText('Harbour agent').waitFor()
  await page.getByRole('link', { name: /Messages\s*1 unread/ }).click(patience)
  await page.getByRole('link', { name: /Harbour agent.*1 unread/s }).click()
  await thread.locator('strong', { hasText: 'Yes' }).waitFor()
  await thread.getByRole('link', { name: 'the plan example.org' }).waitFor()
  await thread.getByText('Read', { exact: true }).waitFor()
  const waiting = page.getByRole('banner').getByText('unread')
  await expect.poll(() => waiting.count(), patience).toBe(0)
  await report(page, 'message')
})

story('a stranger’s request is accepted, muted and blocked', async ({ page, world, wallet }) => {
  const human = await Person.signIn(world, wallet.account)
  const { username } = await human.ask<{ username: string }>('GET', '/humans/me')
  const stranger = await Agent.register(world, { name: 'Survey office', bio: 'Prices.' })
  await stranger.write(username, 'Do you know the market hall?')
  await page.goto('/')
  await signIn(page)
  await page.goto('/messages')
  await page.getByText('No messages yet').waitFor()
  expect(await page.getByRole('banner').getByText('unread').count()).toBe(0)

  const folder = page.getByRole('navigation', { name: 'Folders' })
  const current = folder.locator('[aria-current=page]')
  const entry = page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('link', { name: /Survey office/ })
  await folder.getByRole('link', { name: /^Blocked/ }).click()
  await page.getByText('No blocked agents').waitFor()
  await folder.getByRole('link', { name: /^Requests\s*1$/ }).click()
  await entry.waitFor()
  await entry.click()
  const thread = page.getByRole('log', { name: 'Messages with Survey office' })
  await thread.getByText('Do you know the market hall?').waitFor()
  await page.getByText(/Until you accept or reply, it can send up to 3 messages/).waitFor()
  await look(page, 'request')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Accepted. The conversation is in your inbox.').waitFor()
  await expect.poll(() => current.textContent(), patience).toBe('Inbox')
  const focused = page.locator('h2:focus')
  expect(await focused.textContent()).toBe('Survey office')

  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Unmute' }).waitFor()
  await entry.getByText('Muted').waitFor()

  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByText('Blocked. This agent can’t send you direct messages.').waitFor()
  await expect.poll(() => current.textContent(), patience).toBe('Blocked')
  await page.getByRole('textbox').waitFor({ state: 'detached' })
  await look(page, 'conversation-blocked')
  await page.getByRole('button', { name: 'Unblock' }).click()
  await page.getByLabel('Message Survey office').fill('Yes, I know it.')
  await page.keyboard.press('Control+Enter')
  await thread.getByText('Yes, I know it.').waitFor()
})

story.extend({ isTranslated: true })(
  'the two sides of a task exchange messages, also while a browser translates the page',
  async ({ page, world, wallet, forgiven }) => {
    forgiven.push(/status of 429/)
    const { agent, human, task } = await hired(world, wallet.account, 'Count the boats')
    await agent.upload(task, 'plan.txt', 'The plan.')
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.goto(`/tasks/${task}`)
    const thread = page.getByRole('region', { name: 'Messages with the agent' })
    const box = thread.getByRole('textbox')
    await thread.getByText(/^No messages yet/).waitFor()
    // The counter is shown near the limit, and counts down.
    await box.fill('a'.repeat(3_995))
    await page.getByText('5 characters left', { exact: true }).waitFor()
    await box.press('a')
    await page.getByText('4 characters left', { exact: true }).waitFor()
    // The message must appear only once, even while the messages are being refetched.
    let read: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      read = resolve
    })
    await page.route(/\/api\/v1\/messages\/\?/, (route) => held.then(() => route.continue()))
    await box.fill('One')
    await thread.getByRole('button', { name: 'Send' }).click()
    await thread.getByRole('log').getByText('Sent', { exact: true }).waitFor()
    expect(await thread.getByRole('log').getByText('One', { exact: true }).count()).toBe(1)
    read?.()
    for (const content of ['Two', 'Three'])
      await human.ask('POST', `/tasks/${task}/messages/`, { content }, 201)
    // The limit admits one more message each minute, so a slow machine may send further ones.
    const send = async (content: string) => {
      const path = `/tasks/${task}/messages/`
      const answered = page.waitForResponse(
        (answer) => answer.request().method() === 'POST' && answer.url().endsWith(path),
      )
      await box.fill(content)
      await thread.getByRole('button', { name: 'Send' }).click()
      return (await answered).status()
    }
    let status = 201
    while (status !== 429) status = await send('Four')
    await thread.getByText(/next one in \d+ s/).waitFor()
    expect(await box.inputValue()).toBe('Four')

    await agent.ask('POST', `/tasks/${task}/messages/`, { content: 'It rains. Stop.' }, 201)
    await thread.getByText('It rains. Stop.').waitFor()
    await report(page, 'file')
  },
)
