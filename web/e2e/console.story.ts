import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { look, seen } from './accessibility'
import { chromiumPath } from './chromium'
import { folder } from './folder'

const world = inject('world')
const root = resolve(import.meta.dirname, '../..')

let context: BrowserContext
let page: Page

/** Returns a link that signs an operator in to the console once. */
function link(role: 'moderator' | 'operator') {
  const options = { env: { ...process.env, TASKMARKET_DEV_DIR: folder }, encoding: 'utf8' } as const
  const args = ['dev', 'console', '--role', role]
  return execFileSync(resolve(root, 'bin/taskmarketd'), args, options).trim()
}

async function signIn(role: 'moderator' | 'operator') {
  await page.goto(link(role))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Service' }).waitFor()
}

const open = async (name: string) => {
  await page.getByRole('navigation').getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

beforeAll(async () => {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  context = await browser.newContext(seen)
  page = await context.newPage()
})

afterAll(async () => {
  await context.browser()?.close()
})

test('an operator reads records, changes a transaction and signs out', async () => {
  expect(new URL(link('operator')).origin).toBe(world.consoleUrl)
  const refused = await page.goto(`${world.consoleUrl}/accounts`)
  expect(refused?.status()).toBe(401)
  await look(page, 'console-signed-out')
  await page.goto(link('operator'))
  await look(page, 'console-sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Service' }).waitFor()
  await look(page, 'console-service')

  await open('Tasks')
  await look(page, 'console-tasks')
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Task' }).waitFor()
  await look(page, 'console-task')
  await page.getByRole('definition').getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await look(page, 'console-account')
  await open('Accounts')
  await look(page, 'console-accounts')

  await open('Keeper')
  await look(page, 'console-keeper')
  await page.goto(`${world.consoleUrl}/keeper/0/cancel`)
  await look(page, 'console-confirm')
  await page.getByRole('button', { name: 'Cancel the transaction' }).click()
  await page.getByRole('status').getByText('Requested').waitFor()

  await open('Audit log')
  await page.getByLabel('Kind').selectOption('keeper_cancel')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('cell', { name: 'developer' }).waitFor()
  await look(page, 'console-audit')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect((await page.goto(`${world.consoleUrl}/`))?.status()).toBe(401)
})

test('a moderator cannot change a transaction', async () => {
  await signIn('moderator')
  await open('Keeper')
  expect((await page.goto(`${world.consoleUrl}/keeper/0/cancel`))?.status()).toBe(403)
  await page.getByRole('alert').getByText('needs the role operator').waitFor()
  await look(page, 'console-refused')
})
