import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { look, seen } from './accessibility'
import { type LongStay, stayLong } from './busy-account'
import { signIn, visit, watch } from './story'
import { TestWallet } from './wallet'

const world = inject('world')
const open = `/tasks/${world.tasks['Photograph the harbour at noon']}`
const patience = { timeout: 600_000 }

interface View {
  path: string
  /** A text that appears on the page once it has loaded. */
  shows: string | RegExp
  /** Prepares the page before it is checked. */
  act?: (page: Page) => Promise<unknown>
  /** Whether `act` opens a dialog or a menu over the page. */
  folded?: true
}
type Views = Record<string, View>

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click()
const header = (page: Page) => page.getByRole('banner')

const strangers: Views = {
  landing: { path: '/', shows: 'in escrow' },
  'landing-sign-in': {
    path: '/',
    shows: 'in escrow',
    folded: true,
    act: async (page) => {
      await header(page).getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: /Test wallet/ }).waitFor()
    },
  },
  board: { path: '/tasks', shows: 'in escrow' },
  'task-closed': { path: open, shows: 'Sign in to read this task' },
  'agent-closed': { path: '/agents/example', shows: 'Sign in to view this profile' },
  help: { path: '/help', shows: 'Your rights' },
  'not-shown': {
    path: '/',
    shows: 'in escrow',
    act: async (page) => {
      const part = '**/assets/help-page-*.js'
      await page.route(part, (route) => route.abort())
      await header(page).getByRole('link', { name: 'Help' }).click()
      await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor()
      await page.unroute(part)
    },
  },
  lost: { path: '/no/such/page', shows: 'There is nothing at this address' },
  rescue: { path: '/rescue', shows: 'Get your money out' },
}

const newcomers: Views = {
  welcome: { path: '/welcome', shows: 'Set up your profile' },
  'work-empty': { path: '/work', shows: 'No pending applications' },
  'earnings-empty': { path: '/earnings', shows: 'No payments yet' },
  'messages-empty': { path: '/messages', shows: 'No messages yet' },
  'requests-empty': { path: '/messages?folder=requests', shows: 'No requests' },
  'notices-empty': { path: '/notices', shows: 'No notices' },
  'activity-empty': { path: '/activity', shows: 'No activity yet' },
}

const found = 'Photograph the harbour at noon'

/** The pages of a user who already has tasks, earnings and messages. */
const residents = ({ human, agent, conversation, tasks }: LongStay): Views => ({
  'welcome-ready': { path: '/welcome', shows: 'Your profile is complete' },
  search: { path: '/tasks', shows: found },
  'search-filters': {
    path: '/tasks?q=harbour&place=Lisbon',
    shows: found,
    act: async (page) => {
      await click('Save this search')(page)
      await page.setViewportSize({ width: 768, height: 800 })
      await click('Filter and sort')(page)
      await page.setViewportSize(seen.viewport)
    },
  },
  'search-none': { path: '/tasks?q=submarine', shows: 'No task matches all of your filters.' },
  'task-open': { path: open, shows: 'Apply for this task' },
  apply: { path: `${open}/apply`, shows: 'What happens to your stake' },
  'apply-review': {
    path: `${open}/apply`,
    shows: 'What happens to your stake',
    act: async (page) => {
      await page.getByLabel('Your message to the agent').fill('I live beside it.')
      await click('Apply and lock stake')(page)
      await page.getByRole('heading', { name: 'Check before you sign' }).waitFor()
    },
  },
  'task-applied': { path: `/tasks/${tasks.applied}`, shows: 'Waiting for the agent' },
  'task-active': { path: `/tasks/${tasks.active}`, shows: 'The task is yours' },
  submit: {
    path: `/tasks/${tasks.active}/submit`,
    shows: 'What goes on the blockchain',
    act: async (page) => {
      await page.getByLabel('Note').fill('From the ferry at 10:40. The second one is sharper.')
      await page.locator('input[type=file]').setInputFiles([
        { name: 'lighthouse.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
        {
          name: 'tower and gallery.svg',
          mimeType: 'image/svg+xml',
          buffer: Buffer.from('<svg />'),
        },
      ])
      await page.getByLabel('Submit tower and gallery.svg').waitFor()
    },
  },
  'submit-review': {
    path: `/tasks/${tasks.active}/submit`,
    shows: 'lighthouse.svg',
    act: async (page) => {
      await page.getByRole('button', { name: 'Submit work', exact: true }).click()
      await page.getByRole('heading', { name: 'Check before you sign' }).waitFor()
    },
  },
  'task-submitted': { path: `/tasks/${tasks.submitted}`, shows: 'Submitted work' },
  'task-validating': { path: `/tasks/${tasks.validating}`, shows: 'validators can’t reject it' },
  'task-disputed': { path: `/tasks/${tasks.disputed}`, shows: 'Send answer' },
  'task-paid': { path: `/tasks/${tasks.paid}`, shows: 'Reviews of this task' },
  work: { path: '/work', shows: 'Answer the dispute' },
  'work-active': { path: '/work?part=active', shows: 'Photograph the lighthouse from the sea' },
  earnings: { path: '/earnings', shows: 'By month' },
  messages: { path: '/messages', shows: 'the plan' },
  'messages-requests': {
    path: '/messages?folder=requests',
    shows: 'Do you know the market hall well?',
  },
  conversation: { path: `/messages/${conversation}`, shows: 'the plan' },
  activity: { path: '/activity', shows: 'Application accepted' },
  profile: { path: '/profile', shows: 'About you' },
  settings: { path: '/settings', shows: 'This browser' },
  'settings-delete': {
    path: '/settings',
    shows: 'Download my data',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor()
    },
  },
  human: { path: `/humans/${human}`, shows: 'Careful, and patient with our mistake.' },
  agent: { path: `/agents/${agent}`, shows: 'Hire through the API' },
  menu: {
    path: '/tasks',
    shows: found,
    folded: true,
    act: (page) => header(page).locator('summary').click(),
  },
})

let stay: LongStay
const resident = new TestWallet(world)

beforeAll(async () => {
  stay = await stayLong(world, resident.account)
}, 300_000)

interface Paid {
  id: string
  settled_at: string
  payout_amount: string
}

/** Copies one payment into other months, because a test cannot wait for a year of earnings. */
async function monthly(route: Route) {
  const response = await route.fetch()
  const page = (await response.json()) as { tasks: Paid[] }
  const tasks = page.tasks.flatMap((task) =>
    [0, 1, 2, 4, 5, 9].map((ago) => {
      const at = new Date(task.settled_at)
      at.setMonth(at.getMonth() - ago, 1)
      const payout_amount = `${BigInt(task.payout_amount) * BigInt(1 + ((ago * 7) % 11))}`
      return { ...task, id: task.id.replace(/^./, `${ago}`), settled_at: at, payout_amount }
    }),
  )
  await route.fulfill({ response, json: { ...page, tasks, total: tasks.length } })
}

/** Opens each page and checks its accessibility. */
async function lookAt(page: Page, views: Views) {
  for (const [name, { path, shows, act, folded }] of Object.entries(views)) {
    await page.goto(path)
    await page.getByRole('main').getByText(shows).first().waitFor()
    await act?.(page)
    await look(page, name, folded)
  }
}

test('visitor pages are accessible and fit every width', patience, async () => {
  const context = await visit(world, seen, new TestWallet(world))
  const page = await context.newPage()
  await lookAt(page, strangers)
  // Reduced motion disables all animations.
  await page.goto('/')
  const find = page.getByRole('main').getByRole('link', { name: 'Find a task' })
  const changing = find.evaluate((link) => getComputedStyle(link).transitionDuration)
  expect(await changing).toMatch(/^0s/)
  await context.close()
})

test('new user pages are accessible and fit every width', patience, async () => {
  const context = await visit(world, seen, new TestWallet(world))
  const faults = watch(context, world)
  const page = await context.newPage()
  await page.goto('/')
  await signIn(page)
  await lookAt(page, newcomers)
  await context.close()
  expect(faults).toEqual([])
})

test('pages with data are accessible and fit every width', patience, async () => {
  const context = await visit(world, seen, resident)
  const faults = watch(context, world)
  const page = await context.newPage()
  await page.route(/humans\/me\/tasks\?.*status=approved/, monthly)
  await page.goto('/')
  await signIn(page)
  await lookAt(page, residents(stay))
  await context.close()
  expect(faults).toEqual([])
})
