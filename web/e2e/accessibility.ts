import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const height = 800
// The narrowest supported width, a phone, a tablet and a desktop. The layout changes between them.
const widths = [320, 390, 768, 1280]
// A folder for screenshots for manual review. If it is set, all checks run at each width in each theme. If not, each
// width is checked in one theme, because the themes differ only in colours.
const folder = process.env.TASKMARKET_LOOKS
const checked = { light: folder ? widths : [320, 390, 768], dark: folder ? widths : [1280] }
// Without the folder, axe checks these widths, one in each theme.
const inspected = folder ? widths : [390, 1280]

/** The default window size. */
export const seen = { viewport: { width: 1280, height } } as const

/**
 * Checks a page: no serious axe finding in either theme, and no horizontal scrolling at any width.
 * Restores the window width afterwards. With `folded`, which marks a page covered by a dialog or a
 * menu, the screenshot contains only the visible window.
 */
export async function look(page: Page, name: string, folded = false) {
  await expect.poll(() => page.locator('.animate-pulse').count(), { timeout: 60_000 }).toBe(0)
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Changing the theme fades the colours, which takes longer for nested elements.
    await expect.poll(() => page.evaluate(fading), { timeout: 60_000 }).toBe(0)
    for (const width of checked[colorScheme]) {
      await page.setViewportSize({ width, height })
      const wide = () => page.evaluate('document.documentElement.scrollWidth')
      await expect.poll(wide, { message: `${name} at ${width} px` }).toBeLessThanOrEqual(width)
      if (inspected.includes(width))
        expect(await findings(page), `${name}, ${colorScheme}, ${width} px`).toEqual([])
      await picture(page, `${name}-${width}-${colorScheme}`, !folded)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const fading = 'document.getAnimations().filter((each) => each instanceof CSSTransition).length'

/** Saves a screenshot in the folder that the variable TASKMARKET_LOOKS sets. */
async function picture(page: Page, name: string, fullPage: boolean) {
  if (!folder) return
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
}

/**
 * Returns the serious and critical axe findings. axe is injected through the browser protocol, because
 * the page's content security policy blocks other scripts.
 */
async function findings(page: Page): Promise<string[]> {
  const run = `axe.run({ resultTypes: ['violations'] })`
  const { violations } = (await page.evaluate(run)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}
