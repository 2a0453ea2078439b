import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { look, seen } from './accessibility'
import { type LongStay, stayLong } from './busy-account'
import { observed, staysInPlace } from './layout-shift'
import { signIn, visit, watch } from './story'
import { translate, translatedTexts } from './translator'
import {
  newcomers,
  residents,
  strangers,
  type View,
  type Views,
  validator,
  validators,
} from './views'
import { TestWallet } from './wallet'

// Every page for every kind of user: accessible, at every width, in translation, and in place while it loads. The
// walk on the phone comes first, because the other one applies for a task.

const world = inject('world')
const patience = { timeout: 600_000 }
const resident = new TestWallet(world)
let stay: LongStay

beforeAll(async () => {
  stay = await stayLong(world, resident.account)
}, 300_000)

interface Cast {
  wallet: TestWallet
  views: Views
  isSignedIn: boolean
}

/** The kinds of users, with their wallets and pages. */
const users: Record<string, () => Cast> = {
  visitors: () => ({ wallet: new TestWallet(world), views: strangers, isSignedIn: false }),
  'new users': () => ({ wallet: new TestWallet(world), views: newcomers, isSignedIn: true }),
  users: () => ({ wallet: resident, views: residents(stay), isSignedIn: true }),
  validators: () => {
    const wallet = new TestWallet(world)
    wallet.account = validator
    return { wallet, views: validators, isSignedIn: true }
  },
}

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

const appears = (page: Page, { shows }: View) =>
  page.getByRole('main').getByText(shows).filter({ visible: true }).first().waitFor()

// Another document, a page that cannot be loaded, and a page that needs what was done on the page before it.
const unobserved = ['rescue', 'not-shown', 'submit-review']

/** Opens a page in a new document and checks that it stays in place while it loads. */
async function open(page: Page, name: string, view: View) {
  await page.goto(view.path)
  await appears(page, view)
  if (!unobserved.includes(name)) await staysInPlace(page, name)
}

// What a translation would falsify: the token's amounts and symbol, users' names, addresses and hashes.
const fixed = () =>
  String.raw`\bTASK\b|harbour-[0-9a-f]{8}|Harbour agent|Survey office|Mara Lind|0x[0-9a-f]{4}|${stay.human}`

/** Opens a page from the one before, so that the app also removes what was translated. */
async function follow(page: Page, name: string, view: View) {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(view.path)})`)
  await appears(page, view)
  expect(await page.evaluate(translatedTexts, fixed()), name).toEqual([])
}

for (const [kind, cast] of Object.entries(users)) {
  test(
    `the pages of ${kind} can be used in translation on a phone, and stay in place`,
    patience,
    async () => {
      const { wallet, views, isSignedIn } = cast()
      const context = await visit(world, { viewport: { width: 390, height: 844 } }, wallet)
      await context.addInitScript(translate)
      const faults = watch(context, world)
      const page = await observed(context)
      await page.goto('/')
      if (isSignedIn) await signIn(page)
      // The first view of a page shows it before anything is done on it. The rescue page is another document.
      const paths = new Set(['/rescue'])
      for (const [name, view] of Object.entries(views)) {
        if (paths.has(view.path)) continue
        paths.add(view.path)
        await follow(page, name, view)
        await open(page, name, view)
      }
      await context.close()
      expect(faults.filter((fault) => !/status of 404/.test(fault))).toEqual([])
    },
  )

  test(
    `the pages of ${kind} are accessible, fit every width and stay in place`,
    patience,
    async () => {
      const { wallet, views, isSignedIn } = cast()
      const context = await visit(world, seen, wallet)
      const faults = watch(context, world)
      const page = await observed(context)
      await page.route(/humans\/me\/tasks\?.*status=approved/, monthly)
      await page.goto('/')
      if (isSignedIn) await signIn(page)
      for (const [name, view] of Object.entries(views)) {
        await open(page, name, view)
        await view.act?.(page)
        await look(page, name, view.folded)
      }
      await context.close()
      // Some pages of visitors fail to load, on purpose.
      if (isSignedIn) expect(faults).toEqual([])
    },
  )
}

test('reduced motion disables all animations', async () => {
  const context = await visit(world, seen, new TestWallet(world))
  const page = await context.newPage()
  await page.goto('/')
  const find = page.getByRole('main').getByRole('link', { name: 'Find a task' })
  const changing = find.evaluate((link) => getComputedStyle(link).transitionDuration)
  expect(await changing).toMatch(/^0s/)
  await context.close()
})
