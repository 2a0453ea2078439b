/**
 * Moves the focus to an element without scrolling. An element that is not a Tab stop is focusable
 * while it has the focus.
 */
export function focusOn(element: HTMLElement) {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

/** Moves the focus to an element and scrolls it into view, with as much of `around` as fits. */
export function show(element: HTMLElement, around: Element = element) {
  focusOn(element)
  around.scrollIntoView({ block: 'nearest' })
  element.scrollIntoView({ block: 'nearest' })
}
