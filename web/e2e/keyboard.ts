import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What was recorded on the pages of a user who uses only the keyboard. */
export interface Observed {
  /** Elements that were removed while focused, so that no element had the focus. */
  lost: string[]
  /** New texts in existing live regions, in order. */
  said: string[]
  /** Mouse events. There must be none. */
  pointed: string[]
}

/** Records the events on all pages that are opened in the context from now on. */
export async function observe(context: BrowserContext): Promise<Observed> {
  const seen: Observed = { lost: [], said: [], pointed: [] }
  await context.exposeFunction('__observed', (what: keyof Observed, text: string) => {
    seen[what].push(text)
  })
  await context.addInitScript(report)
  return seen
}

/** Runs in the page: reports focus losses, live-region texts and mouse events to the test. */
function report() {
  const emit = (what: string, text: string) =>
    (window as unknown as { __observed: (what: string, text: string) => void }).__observed(
      what,
      text,
    )
  for (const event of ['pointerdown', 'mousedown', 'mousemove', 'wheel'])
    addEventListener(event, () => emit('pointed', event), { capture: true, passive: true })

  let last: HTMLElement | undefined
  addEventListener(
    'focusin',
    ({ target }) => {
      last = target as HTMLElement
    },
    { capture: true },
  )
  const isGone = (each: HTMLElement) =>
    !each.isConnected || each.matches(':disabled') || each.getClientRects().length === 0
  const isLost = () => document.activeElement === document.body && last && isGone(last)
  // Components that move the focus themselves may do so within the next frames.
  const frames = (count: number, then: () => void) => {
    if (count === 0) then()
    else requestAnimationFrame(() => frames(count - 1, then))
  }
  const check = () => {
    if (!isLost()) return
    const before = last
    frames(6, () => {
      if (!isLost() || last !== before) return
      emit('lost', before?.outerHTML.slice(0, 160) ?? '')
      last = undefined
    })
  }
  const texts = new WeakMap<Element, string>()
  const reportAnnouncements = () => {
    for (const region of document.querySelectorAll('[aria-live], [role=alert], [role=status]')) {
      const text = region.textContent?.trim() ?? ''
      const before = texts.get(region)
      texts.set(region, text)
      if (before !== undefined && text && text !== before) emit('said', text)
    }
  }
  new MutationObserver(() => {
    check()
    reportAnnouncements()
  }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
}

interface Stop {
  isNowhere: boolean
  isSeen: boolean
  what: string
}

/** Runs in the page: returns the focused element and whether its focus indicator is visible. */
function look(): Stop {
  const at = document.activeElement
  if (!at || at === document.body) return { isNowhere: true, isSeen: false, what: '' }
  const shown = at.closest('label') ?? at
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const isMarked = [at, shown].some((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  })
  const isInView = right > left && bottom > top && bottom > 0 && top < innerHeight
  const above = document.elementFromPoint((left + right) / 2, Math.max(0, (top + bottom) / 2))
  const header = document.querySelector('header')
  const isCovered = header?.contains(above) && !header.contains(at)
  return {
    isNowhere: false,
    isSeen: isMarked && isInView && !isCovered,
    what: at.outerHTML.slice(0, 200),
  }
}

/** Runs in the page: waits for two animation frames. */
const twoFrames = () =>
  new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

// The maximum number of Tab presses. No page has this many Tab stops.
const most = 150

/** A user who has a keyboard but no mouse. */
export class Keyboard {
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Presses Tab until the element has the focus. The focus must be visible at each Tab stop. */
  async to(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await wanted.waitFor({ state: 'attached' })
    for (let stops = 0; stops < most; stops++) {
      if (await wanted.evaluate((each) => each === document.activeElement)) return
      await this.stop(key)
    }
    throw new Error(`${wanted} cannot be reached by ${key}`)
  }

  /** Presses Tab once. After the last Tab stop, the focus is in the browser's own controls. */
  async stop(key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop> {
    let stop = await this.step(key)
    if (!stop.isNowhere && !stop.isSeen) {
      // New content may have scrolled the element out of view; moving the focus to it again scrolls
      // it into view.
      await this.step(key === 'Tab' ? 'Shift+Tab' : 'Tab')
      stop = await this.step(key)
    }
    expect(stop.isNowhere || stop.isSeen, `the focus is visible on ${stop.what}`).toBe(true)
    return stop
  }

  private async step(key: 'Tab' | 'Shift+Tab'): Promise<Stop> {
    await this.page.keyboard.press(key)
    await this.page.evaluate(twoFrames) // a dialog moves the focus within two frames
    return this.page.evaluate(look)
  }

  /** Moves the focus to an element and presses a key on it. */
  async press(wanted: Locator, key: 'Enter' | 'Space' = 'Enter') {
    await this.to(wanted)
    await this.page.keyboard.press(key)
  }

  /** Moves the focus to a field and types into it. */
  async type(field: Locator, text: string) {
    await this.to(field)
    await this.page.keyboard.type(text)
  }
}
