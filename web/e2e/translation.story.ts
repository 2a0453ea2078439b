import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { seen } from './accessibility'
import { type LongStay, stayLong } from './busy-account'
import { signIn, visit, watch } from './story'
import { translate, translatedTexts } from './translator'
import { newcomers, residents, strangers, type Views, validator, validators } from './views'
import { TestWallet } from './wallet'

// The stories in stake.story.ts run with the translator too: they go through all states of a
// transaction.

const world = inject('world')
const resident = new TestWallet(world)
let stay: LongStay

beforeAll(async () => {
  stay = await stayLong(world, resident.account)
}, 300_000)

// What a translation would falsify: the token's amounts and symbol, users' names, addresses and hashes.
const fixed = String.raw`\bTASK\b|harbour-[0-9a-f]{8}|Harbour agent|Survey office|Mara Lind|0x[0-9a-f]{4}`

/** Opens each page from the one before, so that the app also removes what was translated. */
async function walk(page: Page, views: Views, username?: string) {
  const pattern = username ? `${fixed}|${username}` : fixed
  for (const [name, { path, shows, act }] of Object.entries(views)) {
    if (name === 'rescue') continue // another document
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
    await page.getByRole('main').getByText(shows).first().waitFor()
    await act?.(page)
    expect(await page.evaluate(translatedTexts, pattern), name).toEqual([])
    await page.keyboard.press('Escape')
  }
}

/** Opens the start page with the translator. */
async function translated(wallet: TestWallet) {
  const context = await visit(world, seen, wallet)
  await context.addInitScript(translate)
  const faults = watch(context, world)
  const page = await context.newPage()
  await page.goto('/')
  return { context, page, faults }
}

test('visitors can use every page in translation', { timeout: 600_000 }, async () => {
  const { 'not-shown': _broken, lost: _lost, ...views } = strangers
  const { context, page, faults } = await translated(new TestWallet(world))
  await walk(page, views)
  await context.close()
  expect(faults).toEqual([])
})

test('users can use every page in translation', { timeout: 600_000 }, async () => {
  const { context, page, faults } = await translated(resident)
  await signIn(page)
  await walk(page, residents(stay), stay.human)
  await context.close()
  expect(faults).toEqual([])
})

test('validators can use their page in translation', async () => {
  const wallet = new TestWallet(world)
  wallet.account = validator
  const { context, page, faults } = await translated(wallet)
  await signIn(page)
  await walk(page, validators)
  await context.close()
  expect(faults).toEqual([])
})

test('new users see the steps that they have done in translation', async () => {
  const { context, page, faults } = await translated(new TestWallet(world))
  await signIn(page)
  await walk(page, newcomers)
  await context.close()
  expect(faults).toEqual([])
})

test('messages and counters are up to date in translation', async () => {
  const { context, page, faults } = await translated(resident)
  await signIn(page)
  await page.goto(`/tasks/${stay.tasks.active}`)
  const box = page.getByRole('textbox', { name: /^Message Harbour/ })
  await box.fill('I am on the boat.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('I am on the boat.').waitFor()
  // The counter is shown near the limit, and counts down.
  await box.fill('a'.repeat(3_995))
  await page.getByText('5 characters left', { exact: true }).waitFor()
  await box.press('a')
  await page.getByText('4 characters left', { exact: true }).waitFor()
  await box.fill('')
  await page.getByText('4 characters left', { exact: true }).waitFor({ state: 'detached' })
  await context.close()
  expect(faults).toEqual([])
})
