import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { type LongStay, stayLong } from './busy-account'
import { settled, signIn, visit } from './story'
import { newcomers, residents, strangers, type Views, validator, validators } from './views'
import { TestWallet } from './wallet'

// The layout shift of a page while it loads, as browsers report it: https://web.dev/articles/cls. Above this value,
// users tap what has just moved under their finger.
const most = 0.1

// In ms, each way: the data of a page then arrives in several parts.
const latency = 60

const sizes = {
  phone: { viewport: { width: 390, height: 844 } },
  laptop: { viewport: { width: 1280, height: 800 } },
}

const world = inject('world')
const resident = new TestWallet(world)
let stay: LongStay

beforeAll(async () => {
  stay = await stayLong(world, resident.account)
}, 300_000)

interface Shift {
  value: number
  /** The elements that moved. */
  moved: string[]
}

/** Runs in the page: collects the layout shifts. */
function observe() {
  const shifts: Shift[] = []
  Object.assign(window, { __shifts: shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
      }
      if (hadRecentInput) continue
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const name = `${element?.tagName} ${element?.textContent?.slice(0, 30)}`
        return `${name} (${previousRect.y} to ${currentRect.y})`
      })
      shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Opens each page in a new document and returns the ones that shift too much. */
async function measure(page: Page, views: Views): Promise<string[]> {
  const found: string[] = []
  for (const [name, { path, shows }] of Object.entries(views)) {
    await page.goto(path)
    await page.getByRole('main').getByText(shows).filter({ visible: true }).first().waitFor()
    await settled(page)
    // Two frames later, the browser has reported the last shift.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    const shifts = (await page.evaluate('__shifts')) as Shift[]
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    const moved = shifts.map(({ value, moved }) => `${value.toFixed(3)}: ${moved.join(', ')}`)
    if (sum > most) found.push([`${name}: ${sum.toFixed(3)}`, ...moved].join('\n  '))
  }
  return found
}

async function open(size: keyof typeof sizes, wallet: TestWallet) {
  const context = await visit(world, sizes[size], wallet)
  await context.addInitScript(observe)
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  return { context, page }
}

const patience = { timeout: 600_000 }
const { rescue: _rescue, 'not-shown': _broken, ...visitors } = strangers

for (const size of ['phone', 'laptop'] as const) {
  test(`the pages of visitors stay in place on a ${size}`, patience, async () => {
    const { context, page } = await open(size, new TestWallet(world))
    expect(await measure(page, visitors)).toEqual([])
    await context.close()
  })

  test(`the pages of users stay in place on a ${size}`, patience, async () => {
    const { context, page } = await open(size, resident)
    await page.goto('/')
    await signIn(page)
    // The review follows the form on the page before it.
    const { 'submit-review': _review, ...views } = residents(stay)
    expect(await measure(page, views)).toEqual([])
    await context.close()
  })

  test(`the pages of validators stay in place on a ${size}`, patience, async () => {
    const wallet = new TestWallet(world)
    wallet.account = validator
    const { context, page } = await open(size, wallet)
    await page.goto('/')
    await signIn(page)
    expect(await measure(page, validators)).toEqual([])
    await context.close()
  })

  test(`the pages of new users stay in place on a ${size}`, patience, async () => {
    const { context, page } = await open(size, new TestWallet(world))
    await page.goto('/')
    await signIn(page)
    expect(await measure(page, newcomers)).toEqual([])
    await context.close()
  })
}
