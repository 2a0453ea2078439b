import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

// The parts of a page that may take the focus for something in them.
const parts = 'section, form, article, fieldset, li, main, header, footer'

/**
 * Keeps the keyboard's place. When what had the focus goes away, browsers begin again at the top;
 * here the nearest part of the page that is still there takes it, and on a new page its content.
 */
export function useFocusRecovery() {
  const router = useRouter()
  useEffect(() => {
    // What had the focus last, and all that it was in.
    let path: Element[] = []
    const follow = ({ target }: FocusEvent) => {
      path = pathOf(target as Element)
    }
    const isLost = () => document.activeElement === document.body && path[0] && !isThere(path[0])
    const keep = () => {
      if (!isLost()) return
      // Dialogs give the focus back by themselves, a little later.
      afterFrames(2, () => {
        if (isLost()) take(path.find((each) => each.matches(parts) && isThere(each)) ?? content())
      })
    }
    const mutations = new MutationObserver(keep)
    mutations.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['open', 'hidden', 'disabled'],
    })
    document.addEventListener('focusin', follow)
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const isElsewhere = !content()?.contains(document.activeElement)
      if (fromLocation && pathChanged && isElsewhere) take(content())
    })
    return () => {
      mutations.disconnect()
      document.removeEventListener('focusin', follow)
      unsubscribe()
    }
  }, [router])
}

const content = () => document.getElementById('content')

function pathOf(element: Element): Element[] {
  const path = []
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each)
  return path
}

const isThere = (element: Element) =>
  element.isConnected && !element.matches(':disabled') && element.getClientRects().length > 0

function afterFrames(count: number, then: () => void) {
  if (count === 0) then()
  else requestAnimationFrame(() => afterFrames(count - 1, then))
}

/** Moves the focus to a part of the page that is no stop of its own. */
function take(part: Element | null) {
  if (!(part instanceof HTMLElement)) return
  if (!part.hasAttribute('tabindex')) {
    part.tabIndex = -1
    part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true })
  }
  part.focus({ preventScroll: true })
}
