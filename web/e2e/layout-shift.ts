import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from './story'

// The layout shift of a page while it loads, as browsers report it: https://web.dev/articles/cls. Above this value,
// users tap what has just moved under their finger.
const most = 0.1

// In ms, each way: the data of a page then arrives in several parts.
const latency = 60

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

/** Opens a page whose layout shifts are collected, on a slow network. */
export async function observed(context: BrowserContext): Promise<Page> {
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
  return page
}

/** Checks that the page, which has just been opened in a new document, stays in place while it loads. */
export async function staysInPlace(page: Page, name: string) {
  await settled(page)
  // Two frames later, the browser has reported the last shift.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
  const shifts = (await page.evaluate('__shifts')) as Shift[]
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  const moved = shifts.map(({ value, moved }) => `${value.toFixed(3)}: ${moved.join(', ')}`)
  expect(sum, [name, ...moved].join('\n  ')).toBeLessThanOrEqual(most)
}
