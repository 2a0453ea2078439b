import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { inject, test } from 'vitest'
import { look, seen } from './accessibility'
import { folder } from './folder'
import { visit } from './story'

const world = inject('world')
const root = resolve(import.meta.dirname, '../..')

/** Returns a link that signs an operator in to the console once. */
function link() {
  const options = { env: { ...process.env, TASKMARKET_DEV_DIR: folder }, encoding: 'utf8' } as const
  const args = ['dev', 'console', '--role', 'operator']
  return execFileSync(resolve(root, 'bin/taskmarketd'), args, options).trim()
}

test('an operator reads records, changes a transaction and signs out', async () => {
  const context = await visit(world, seen)
  const page = await context.newPage()
  const open = async (name: string) => {
    await page.getByRole('navigation').getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await page.goto(`${world.consoleUrl}/accounts`)
  await look(page, 'console-signed-out')
  await page.goto(link())
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
  await look(page, 'console-audit')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await context.close()
})
