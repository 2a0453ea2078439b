import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { Agent } from './actors'
import { settled, signIn, visit } from './story'
import { TestWallet } from './wallet'

// Measures the loading times of the first pages with an empty cache and a processor slowed to a quarter
// of its speed. The times at which content appears are also shown as multiples of the first paint of a
// page without scripts, measured in the same round, because absolute times vary on a busy machine.

const world = inject('world')
const slowness = 4
const rounds = Number(process.env.TASKMARKET_LOADING_ROUNDS ?? 5)
const agents = 5
const tasksEach = 10

interface Place {
  path: string
  /** The selector of an element that exists once the page is readable and usable. */
  shown: string
  signedIn?: boolean
}

const bare: Place = { path: '/app.json', shown: 'body' }
const places: Record<string, Place> = {
  landing: { path: '/', shown: 'main li h3' },
  board: { path: '/tasks', shown: 'main li h3' },
  'board, signed in': { path: '/tasks', shown: 'main li h3', signedIn: true },
}

/** The page's own timings, in milliseconds since navigation. */
interface Seen {
  /** The time of the first contentful paint. */
  painted: number
  /** The time at which the main content appeared. */
  shown: number
  /** The time that long tasks took beyond 50 ms each: in total, and after the first paint. */
  blocked: number
  blockedAfter: number
  /** The processor time that the page's main thread used. */
  worked: number
}

const wallet = new TestWallet(world)
let session: Exclude<BrowserContextOptions['storageState'], undefined | string>

beforeAll(async () => {
  await Promise.all(Array.from({ length: agents }, postSome))
  const context = await visit(world, {}, wallet)
  const page = await context.newPage()
  await page.goto('/')
  await signIn(page)
  session = await context.storageState()
  await context.close()
})

/** Registers an agent and posts `tasksEach` tasks. */
async function postSome(_: unknown, agent: number) {
  const someone = await Agent.register(world)
  for (let i = 0; i < tasksEach; i++) {
    await someone.post(`Photograph street corner ${agent * tasksEach + i + 1} at noon`, {
      description: 'Four photos, one in each direction.\n\nNo faces, no number plates.',
      skills: ['photography', 'walking'],
      ...(i % 2 ? { remote: true } : { remote: false, location: 'Lisbon' }),
    })
  }
}

/** Runs in the page before its scripts: records the timings. */
function observe(shown: string) {
  const long: { start: number; time: number }[] = []
  const seen = { painted: 0, shown: 0, long }
  Object.assign(window, { __seen: seen })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      long.push({ start: startTime, time: duration })
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') seen.painted = startTime
  }).observe({ type: 'paint', buffered: true })
  const observer = new MutationObserver(() => {
    if (!document.querySelector(shown)) return
    observer.disconnect()
    requestAnimationFrame(() => {
      seen.shown = performance.now()
    })
  })
  observer.observe(document, { childList: true, subtree: true })
}

interface Sample {
  painted: number
  shown: number
  long: { start: number; time: number }[]
  now: number
}

// In ms. A page counts as loaded when it has had no long task for this time.
const calm = 2_500

const isDone = ({ painted, shown, long, now }: Sample) =>
  painted > 0 && shown > 0 && long.every(({ start, time }) => now - start - time > calm)

async function load(place: Place): Promise<Seen> {
  const context = await visit(
    world,
    {
      viewport: { width: 1280, height: 800 },
      ...(place.signedIn ? { storageState: session } : {}),
    },
    place.signedIn ? wallet : undefined,
  )
  try {
    const page = await context.newPage()
    const protocol = await throttled(context, page)
    await page.addInitScript(observe, place.shown)
    await page.goto(place.path)
    const sample = () => page.evaluate<Sample>('({ ...__seen, now: performance.now() })')
    await expect
      .poll(async () => isDone(await sample()), { timeout: 60_000, interval: 250 })
      .toBe(true)
    if (place !== bare) await settled(page)
    return { ...toSeen(await sample()), worked: await workOf(protocol) }
  } finally {
    await context.close()
  }
}

async function throttled(context: BrowserContext, page: Page): Promise<CDPSession> {
  const protocol = await context.newCDPSession(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
  return protocol
}

async function workOf(protocol: CDPSession): Promise<number> {
  const { metrics } = await protocol.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

function toSeen({ painted, shown, long }: Sample): Omit<Seen, 'worked'> {
  const beyond = (tasks: Sample['long']) =>
    tasks.reduce((sum, { time }) => sum + Math.max(0, time - 50), 0)
  const after = long.filter(({ start, time }) => start + time > painted)
  return { painted, shown, blocked: beyond(long), blockedAfter: beyond(after) }
}

const median = (all: number[]) =>
  all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

test('loading times of the first pages', async () => {
  const seen = new Map<string, { of: Seen; bare: Seen }[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, place] of Object.entries(places)) {
      const pair = { bare: await load(bare), of: await load(place) }
      seen.set(name, [...(seen.get(name) ?? []), pair])
    }
  }
  const table = [...seen].map(([name, pairs]) => {
    const of = (what: keyof Seen) => Math.round(median(pairs.map((pair) => pair.of[what])))
    const times = (what: 'painted' | 'shown') =>
      median(pairs.map((pair) => pair.of[what] / pair.bare.painted)).toFixed(1)
    return [
      name.padEnd(18),
      `first contentful paint ${of('painted')} ms (${times('painted')} times the bare page's)`,
      `tasks shown ${of('shown')} ms (${times('shown')})`,
      `main thread ${of('worked')} ms of processor time`,
      `total blocking time ${of('blockedAfter')} ms, ${of('blocked')} ms including before the paint`,
    ].join('; ')
  })
  const floor = Math.round(median([...seen.values()].flat().map((pair) => pair.bare.painted)))
  console.log(
    `median of ${rounds} rounds, processor slowed by a factor of ${slowness}, at least ${agents * tasksEach} tasks; the bare page's first paint ${floor} ms\n${table.join('\n')}`,
  )
  expect(table).toHaveLength(Object.keys(places).length)
})
