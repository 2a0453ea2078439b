import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { hostileTexts } from './untrusted-texts'

// Form values built from the hostile texts, and checks for effects that they must not have.

/** The texts that a single-line field accepts: those without line breaks and control characters. */
export const hostileLines = hostileTexts.filter(
  (text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text) && text.trim(),
)

const length = (text: string) => [...text].length

/** Joins the texts that fit into a field of this size into as few values as possible. */
export function packed(texts: readonly string[], size: number, between: string): string[] {
  const packs: string[] = []
  for (const text of texts.filter((each) => length(each) <= size)) {
    const place = packs.findIndex((pack) => length(pack + between + text) <= size)
    if (place < 0) packs.push(text)
    else packs[place] += between + text
  }
  return packs
}

// Selects elements that user text must never create. The page's own scripts come from its own
// origin.
const foreign = `body :is(iframe,object,embed,style,link,base,meta,video,template,[style*=url],
  script:not([src^="/"]), img:not([src^="/"]))`

/**
 * Checks that no user text became active content and that the page does not overflow horizontally.
 */
export async function isSound(page: Page, what: string) {
  expect(await page.locator(foreign).count(), what).toBe(0)
  const odd = await page.evaluate(`[...document.querySelectorAll('body *')]
    .flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on')))`)
  expect(odd, what).toEqual([])
  const links = (await page.evaluate(
    `[...document.querySelectorAll('a')].map(({ href }) => href)`,
  )) as string[]
  expect(
    links.filter((href) => !/^https?:\/\//.test(href)),
    what,
  ).toEqual([])
  const wide = () =>
    page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth)
      .filter(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
      .slice(0, 5)
      .map((each) => each.outerHTML.slice(0, 300))`)
  await expect.poll(wide, { message: `${what} is as wide as the window` }).toEqual([])
}
