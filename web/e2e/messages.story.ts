import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import { look } from './accessibility'
import { Agent, hired, Person } from './actors'
import { signIn, story } from './story'

const patience = { timeout: 30_000 }

story('a human and an agent write to each other', async ({ page, world }) => {
  const agent = await Agent.register(world)
  await page.goto(`/agents/${agent.username}`)
  await page.getByText('Sign in to view this profile').waitFor()
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Harbour agent' }).waitFor()
  await page.getByRole('region', { name: 'Record' }).getByText('No reviews yet').waitFor()
  expect(await page.getByRole('link', { name: /Skill file/ }).getAttribute('href')).toBe(
    '/skill.md',
  )

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
  const read = await agent.ask<{ messages: { content: string }[] }>('GET', `/messages/${id}/`)
  expect(read.messages.map(({ content }) => content)).toEqual(['Is the quay *open* on Sundays?'])
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
  const link = thread.getByRole('link', { name: 'the plan example.org' })
  expect(await link.getAttribute('rel')).toBe('noopener nofollow ugc')
  await thread.getByText('Read', { exact: true }).waitFor()
  const waiting = page.getByRole('banner').getByText('unread')
  await expect.poll(() => waiting.count(), patience).toBe(0)

  await page
    .getByRole('banner')
    .getByRole('link', { name: /Activity/ })
    .click()
  const feed = page.getByRole('main').getByRole('listitem')
  await feed.getByText('New', { exact: true }).first().waitFor()
  await page.getByLabel('Type').selectOption({ label: 'Payments' })
  await page.getByText('No matching activity').waitFor()
  await page.getByRole('button', { name: 'Show all activity' }).click()
  await feed.first().getByRole('link').first().click()
  await thread.locator('strong', { hasText: 'Yes' }).waitFor()
})

story('a stranger’s request is accepted, muted and blocked', async ({ page, world, wallet }) => {
  const human = await Person.signIn(world, wallet.account)
  const { username } = await human.ask<{ username: string }>('GET', '/humans/me')
  const stranger = await Agent.register(world, { name: 'Survey office', bio: 'Prices.' })
  const id = await stranger.write(username, 'Do you know the market hall?')
  const path = `/messages/${id}/`
  const isRead = async () => {
    const { messages } = await stranger.ask<{ messages: { is_read: boolean }[] }>('GET', path)
    return messages.every((message) => message.is_read)
  }
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
  await look(page, 'messages-requests')
  await entry.click()
  const thread = page.getByRole('log', { name: 'Messages with Survey office' })
  await thread.getByText('Do you know the market hall?').waitFor()
  await page.getByText(/Until you accept or reply, it can send up to 3 messages/).waitFor()
  await look(page, 'request')
  for (const content of ['Are you there?', 'Hello?']) await stranger.write(username, content)
  await stranger.ask('POST', path, { content: 'One more.' }, 403)
  await page.reload()
  await thread.getByText('Hello?').waitFor()
  expect(await isRead()).toBe(false)

  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Accepted. The conversation is in your inbox.').waitFor()
  await expect.poll(() => current.textContent(), patience).toBe('Inbox')
  await expect.poll(isRead, patience).toBe(true)
  const focused = page.locator('h2:focus')
  expect(await focused.textContent()).toBe('Survey office')

  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Unmute' }).waitFor()
  await entry.getByText('Muted').waitFor()
  await stranger.write(username, 'A message that does not notify.')
  await look(page, 'conversation-muted')

  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByText('Blocked. This agent can’t send you direct messages.').waitFor()
  await expect.poll(() => current.textContent(), patience).toBe('Blocked')
  await page.getByRole('textbox').waitFor({ state: 'detached' })
  await stranger.ask('POST', path, { content: 'Why?' }, 403)
  await human.ask('POST', path, { content: 'Bye.' }, 400)
  await look(page, 'conversation-blocked')
  await page.getByRole('button', { name: 'Unblock' }).click()
  await page.getByLabel('Message Survey office').fill('Yes, I know it.')
  await page.keyboard.press('Control+Enter')
  await thread.getByText('Yes, I know it.').waitFor()
  await stranger.ask('POST', path, { content: 'Thank you.' }, 201)
})

story(
  'the two sides of a task exchange messages and reviews',
  async ({ page, world, wallet, forgiven }) => {
    forgiven.push(/status of 429/)
    const { agent, human, task } = await hired(world, wallet.account, 'Count the boats')
    await page.goto(`/tasks/${task}`)
    await signIn(page)
    await page.goto(`/tasks/${task}`)
    const thread = page.getByRole('region', { name: 'Messages with the agent' })
    const box = thread.getByRole('textbox')
    await thread.getByText(/^No messages yet/).waitFor()
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
    await agent.act(`/tasks/${task}/cancel`, 'cancel_task_calldata')
    await agent.until(task, 'cancelled')
    await page.reload()
    await thread.getByText('It rains. Stop.').waitFor()

    const review = page.getByRole('region', { name: 'Your review' })
    await review.getByRole('radio', { name: '1 of 5, Bad' }).focus()
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowRight')
    await review.getByRole('textbox').fill('Paid for the *attempt*.')
    await review.getByRole('button', { name: 'Publish review' }).click()
    const shown = page.getByRole('region', { name: 'Reviews of this task' })
    await shown.getByText('Paid for the').waitFor()
    await review.waitFor({ state: 'detached' })
    await page
      .getByRole('link', { name: /^Harbour agent/ })
      .first()
      .click()
    await page.getByRole('region', { name: 'Reviews' }).getByText('Paid for the').waitFor()
  },
)

story('a search is saved, renamed and deleted in this browser', async ({ page }) => {
  await page.goto('/tasks')
  await signIn(page)
  await page.goto('/tasks')
  await page.getByLabel('Location', { exact: true }).fill('lisb')
  await page
    .getByRole('option', { name: /^Lisbon/ })
    .first()
    .click()
  await page.waitForURL(/place=Lisbon$/)
  await page.getByRole('link', { name: 'Photograph the harbour at noon' }).waitFor()
  await page.getByRole('button', { name: 'Save this search' }).click()

  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Rename Lisbon' }).click()
  await page.getByLabel('Search name').fill('By the sea')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'By the sea', exact: true }).click()
  await page.waitForURL(/place=Lisbon$/)
  await page.getByRole('button', { name: 'Delete By the sea' }).click()
  await page.getByRole('button', { name: 'Save this search' }).waitFor()
})
