import { resolve } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { test as base, expect, inject } from 'vitest'
import { chromiumPath } from './chromium'
import { folder } from './folder'
import { translate } from './translator'
import { TestWallet } from './wallet'
import type { World } from './world'

let browser: Promise<Browser> | undefined

function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  return browser
}

interface Stage {
  world: World
  wallet: TestWallet
  /** Patterns of expected error messages, which do not fail the story. */
  forgiven: RegExp[]
  /** Options of the browser context. */
  options: BrowserContextOptions
  /** Whether the browser translates the pages. */
  isTranslated: boolean
  /** A page in a new browser context with the wallet installed. Any error on it fails the story. */
  page: Page
}

/** A test with a user who has a wallet and a browser. */
export const story = base.extend<Stage>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  world: async ({}, use) => use(inject('world')),
  wallet: async ({ world }, use) => use(new TestWallet(world)),
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  forgiven: async ({}, use) => use([]),
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  options: async ({}, use) => use({}),
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern
  isTranslated: async ({}, use) => use(false),
  page: async ({ world, wallet, forgiven, options, isTranslated, task }, use) => {
    const viewport = { width: 1280, height: 800 }
    const context = await visit(world, { viewport, ...options }, wallet)
    if (isTranslated) await context.addInitScript(translate)
    const faults = watch(context, world)
    const page = await context.newPage()
    await use(page)
    const last = context.pages().at(-1)
    if (last && task.result?.state === 'fail') await picture(last, task.name)
    await context.close()
    expect(faults.filter((fault) => !forgiven.some((each) => each.test(fault)))).toEqual([])
  },
})

/** Saves a screenshot of a failed story. */
async function picture(page: Page, name: string) {
  const path = resolve(folder, 'failed', `${name.replaceAll(/\W+/g, '-')}.png`)
  await page.screenshot({ path, fullPage: true })
}

/** Creates a browser context, without stored data unless `options` has some, and installs the wallet. */
export async function visit(
  world: World,
  options: BrowserContextOptions,
  wallet?: TestWallet,
): Promise<BrowserContext> {
  const context = await (await launch()).newContext({
    baseURL: world.webUrl,
    locale: 'en-GB',
    // During transitions the contrast is too low for axe, and without a GPU each frame of a spinner takes
    // processor time.
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  await wallet?.install(context)
  return context
}

/**
 * Collects events that no page may cause: errors and warnings, which include violations of the content
 * security policy, dialogs, and requests to other hosts.
 */
export function watch(context: BrowserContext, world: World): string[] {
  const faults: string[] = []
  const known = [world.webUrl, world.rpcUrl].map((url) => new URL(url).origin)
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`console: ${message.text()}`)
  })
  context.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && !known.includes(url.origin))
      faults.push(`asked: ${request.url()}`)
  })
  // The `request` event does not report WebSockets.
  context.on('page', (page) => page.on('websocket', (line) => faults.push(`asked: ${line.url()}`)))
  return faults
}

/** Signs in with the test wallet, from the page header. */
export async function signIn(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByText(/^Signed in as/).waitFor()
}

/** Switches the browser's wallet to another account and signs in. */
export async function signInAs(page: Page, wallet: TestWallet, account: TestWallet['account']) {
  wallet.account = account
  if (page.url() === 'about:blank') await page.goto('/')
  else {
    await page.evaluate(`__moveAccount(${JSON.stringify(account.address)})`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    // Waits until the toast for the previous account is hidden.
    await page.getByText(/^Signed in as/).waitFor({ state: 'hidden' })
  }
  await signIn(page)
}

/**
 * Waits until the page shows its data. It cannot wait for an idle network, because the event stream
 * never ends.
 */
export async function settled(page: Page) {
  await page.locator('main :is(h1, h2)').first().waitFor()
  const onTheirWay = () => page.locator('main .animate-pulse').count()
  await expect.poll(onTheirWay, { timeout: 60_000 }).toBe(0)
}

/** Runs in the page: whether an element is in the window, below the header, and covered by nothing. */
function isVisible(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return top >= 64 && bottom <= innerHeight && element.contains(above)
}

/** Waits until an element has the focus and is in view. */
export async function shown(element: Locator) {
  await element.waitFor()
  const focus = () => element.evaluate((each) => each === document.activeElement)
  await expect.poll(focus, { message: `${element} has the focus` }).toBe(true)
  await expect
    .poll(() => element.evaluate(isVisible), { message: `${element} is in view` })
    .toBe(true)
}
