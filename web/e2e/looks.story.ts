import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { decide, hired } from './people'
import { settled, signIn, visit, watch } from './story'
import { TestWallet } from './wallet'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const world = inject('world')
const task = world.tasks['Photograph the harbour at noon']

const places = {
  landing: { path: '/', signedIn: false },
  board: { path: '/tasks', signedIn: false },
  help: { path: '/help', signedIn: false },
  lost: { path: '/no/such/page', signedIn: false },
  search: { path: '/tasks?q=letter', signedIn: true },
  task: { path: `/tasks/${task}`, signedIn: true },
  welcome: { path: '/welcome', signedIn: true },
  profile: { path: '/profile', signedIn: true },
  work: { path: '/work', signedIn: true },
  earnings: { path: '/earnings', signedIn: true },
}
type Place = { path: string; signedIn: boolean }

// Somebody who has been here for a while: the pages of their work have something on them.
const worker = new TestWallet(world)
const worked: Record<string, Place> = {}

beforeAll(async () => {
  const paid = await hired(world, worker.account, 'Read the tide gauge')
  await paid.human.submit(paid.task, '2.41 m')
  await paid.agent.dispute(paid.task, 'It is not the gauge that we meant.')
  await decide(world, paid.task, true, 'It is the only one in the harbour.')
  await paid.human.until(paid.task, 'approved')
  const disputed = await hired(world, worker.account, 'Count the boats at low tide')
  await disputed.human.submit(disputed.task, 'There are 31. See https://example.org/boats')
  await disputed.agent.dispute(disputed.task, 'Two of them are missing from the list.')
  const active = await hired(world, worker.account, 'Photograph the lighthouse from the sea')
  worked['decided-task'] = { path: `/tasks/${paid.task}`, signedIn: true }
  worked['disputed-task'] = { path: `/tasks/${disputed.task}`, signedIn: true }
  worked['active-task'] = { path: `/tasks/${active.task}`, signedIn: true }
  worked.submit = { path: `/tasks/${active.task}/submit`, signedIn: true }
}, 300_000)

const widths = [320, 360, 768, 1280]
const height = 800

/** Keeps how a page looks, for people, where TASKMARKET_LOOKS is set. */
async function picture(page: Page, name: string, fullPage: boolean) {
  if (!process.env.TASKMARKET_LOOKS) return
  await page.screenshot({ path: `../.dev/web/looks/${name}.png`, fullPage })
}

/** What axe finds serious or critical. The page's policy keeps scripts out; the protocol does not. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

test.each(['light', 'dark'] as const)(
  'every page in the %s theme',
  { timeout: 600_000 },
  async (colorScheme) => {
    const options = {
      colorScheme,
      viewport: { width: 1280, height },
      reducedMotion: 'reduce',
    } as const
    const context = await visit(world, options, worker)
    const faults = watch(context, world)
    const page = await context.newPage()
    let signedIn = false
    for (const [name, place] of Object.entries({ ...places, ...worked })) {
      if (place.signedIn && !signedIn) {
        await page.goto('/')
        await signIn(page)
        signedIn = true
      }
      await page.goto(place.path)
      await settled(page)
      expect(await findings(page), `${name}, ${colorScheme}`).toEqual([])
      for (const width of widths) {
        await page.setViewportSize({ width, height })
        const wide = () => page.evaluate('document.documentElement.scrollWidth')
        await expect.poll(wide, { message: `${name} at ${width} px` }).toBeLessThanOrEqual(width)
        await picture(page, `${name}-${colorScheme}-${width}`, true)
      }
      await page.setViewportSize(options.viewport)
    }
    await context.close()
    expect(faults).toEqual([])
  },
)

test('the dialog to sign in', async () => {
  const context = await visit(world, { viewport: { width: 1280, height } }, new TestWallet(world))
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).waitFor()
  expect(await findings(page)).toEqual([])
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await picture(page, `sign-in-light-${width}`, false)
  }
  await context.close()
})
