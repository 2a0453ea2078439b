import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const height = 800
// The first is the narrowest supported width. Screenshots are taken at the other widths for manual
// review.
const widths = [320, 360, 768, 1280]
// A folder for screenshots. If it is set, all checks run at each width in each theme. If not, axe checks the
// light theme at the widths of a phone and of a desktop, between which the layout changes twice, and the dark theme
// only on a desktop; only the light theme is checked for horizontal scrolling. The themes differ only in colours.
const folder = process.env.TASKMARKET_LOOKS
const checked = { light: folder ? widths : [360, 1280], dark: folder ? widths : [1280] }

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
    for (const width of widths) {
      const isMeasured = colorScheme === 'light' || folder !== undefined
      if (!isMeasured && !checked[colorScheme].includes(width)) continue
      await page.setViewportSize({ width, height })
      if (isMeasured) {
        const wide = () => page.evaluate('document.documentElement.scrollWidth')
        await expect.poll(wide, { message: `${name} at ${width} px` }).toBeLessThanOrEqual(width)
      }
      if (checked[colorScheme].includes(width))
        expect(await findings(page, colorScheme), `${name}, ${colorScheme}, ${width} px`).toEqual(
          [],
        )
      if (width > 320) await picture(page, `${name}-${width}-${colorScheme}`, !folded)
    }
    await page.setViewportSize(seen.viewport)
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

const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns the serious and critical axe findings: of all rules in the light theme, of the rules on
 * colours in the dark one. axe is injected through the browser protocol, because the page's content
 * security policy blocks other scripts.
 */
async function findings(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const rules = colorScheme === 'dark' ? { runOnly: colourRules } : {}
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}
