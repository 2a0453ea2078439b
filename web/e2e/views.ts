import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import { seen } from './accessibility'
import type { LongStay } from './busy-account'

const world = inject('world')
const open = `/tasks/${world.tasks['Photograph the harbour at noon']}`

/** A page of the app, with what makes it ready to be checked. */
export interface View {
  path: string
  /** A text that appears on the page once it has loaded. */
  shows: string | RegExp
  /** Prepares the page before it is checked. */
  act?: (page: Page) => Promise<unknown>
  /** Whether `act` opens a dialog or a menu over the page. */
  folded?: true
}
export type Views = Record<string, View>

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click()
const header = (page: Page) => page.getByRole('banner')

/** The pages of visitors. */
export const strangers: Views = {
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

/** The pages of a user who has just signed in for the first time. */
export const newcomers: Views = {
  welcome: { path: '/welcome', shows: 'Set up your profile' },
  'work-empty': { path: '/work', shows: 'No pending applications' },
  'earnings-empty': { path: '/earnings', shows: 'No payments yet' },
  'messages-empty': { path: '/messages', shows: 'No messages yet' },
  'requests-empty': { path: '/messages?folder=requests', shows: 'No requests' },
  'notices-empty': { path: '/notices', shows: 'No notices' },
  'activity-empty': { path: '/activity', shows: 'No activity yet' },
  'validate-closed': { path: '/validate', shows: 'This page is for validators' },
}

const found = 'Photograph the harbour at noon'
// The first page of all tasks can be full of the other stories' tasks.
const search = '/tasks?q=harbour+at+noon'

/** The pages of a user who already has tasks, earnings and messages. */
export const residents = ({ human, agent, stranger, conversation, tasks }: LongStay): Views => ({
  'welcome-ready': { path: '/welcome', shows: 'Your profile is complete' },
  search: { path: search, shows: found },
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
  'submit-done': { path: `/tasks/${tasks.submitted}/submit`, shows: 'Your work was submitted' },
  'task-submitted': { path: `/tasks/${tasks.submitted}`, shows: 'Submitted work' },
  'task-validating': { path: `/tasks/${tasks.validating}`, shows: 'validators can’t reject it' },
  'task-disputed': { path: `/tasks/${tasks.disputed}`, shows: 'Send answer' },
  'task-paid': { path: `/tasks/${tasks.paid}`, shows: 'Reviews of this task' },
  'task-rejected': {
    path: `/tasks/${tasks.rejected}`,
    shows: 'Decided for the agent. The payment was refunded.',
  },
  work: { path: '/work', shows: 'Answer the dispute' },
  'work-done': {
    path: '/work?part=done',
    shows: /^Validators rejected your work.*you lost your 0.5 TASK stake\.$/,
  },
  'work-active': { path: '/work?part=active', shows: 'Photograph the lighthouse from the sea' },
  earnings: { path: '/earnings', shows: 'By month' },
  messages: { path: '/messages', shows: 'the plan' },
  'messages-requests': {
    path: '/messages?folder=requests',
    shows: 'Do you know the market hall well?',
  },
  conversation: { path: `/messages/${conversation}`, shows: 'the plan' },
  'messages-blocked': { path: '/messages?folder=blocked', shows: 'No blocked agents' },
  'messages-first': { path: `/messages/to/${stranger}`, shows: 'This is your first message' },
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
    path: search,
    shows: found,
    folded: true,
    act: (page) => header(page).locator('summary').click(),
  },
})

/** The pages of a validator with tasks to decide. */
export const validators: Views = { validate: { path: '/validate', shows: 'The brief' } }

/** The account of a validator. */
export const validator = privateKeyToAccount(world.validatorKeys[2] as Hex)
