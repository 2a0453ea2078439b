import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { look, seen } from './accessibility'
import { type LongStay, stayLong } from './busy-account'
import { signIn, visit, watch } from './story'
import { newcomers, residents, strangers, type Views } from './views'
import { TestWallet } from './wallet'

const world = inject('world')
const patience = { timeout: 600_000 }
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
