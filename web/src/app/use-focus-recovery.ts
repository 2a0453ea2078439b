import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusOn } from '@/lib/show'

// The elements that can receive the focus when an element inside them is removed.
const containers = 'section, form, article, fieldset, li, main, header, footer'

/**
 * Preserves the focus for keyboard users. When the focused element is removed, browsers restart at
 * the top of the page. Instead, the nearest remaining ancestor receives the focus, or on a new page
 * its content.
 */
export function useFocusRecovery() {
  const router = useRouter()
  useEffect(() => {
    // The last focused element and its ancestors.
    let path: Element[] = []
    const follow = ({ target }: FocusEvent) => {
      path = pathOf(target as Element)
    }
    const isLost = () => document.activeElement === document.body && path[0] && !isVisible(path[0])
    const restore = () => {
      if (!isLost()) return
      // Dialogs restore the focus themselves within two frames.
      afterFrames(2, () => {
        if (isLost()) focus(path.find((each) => each.matches(containers) && isVisible(each)))
      })
    }
    const mutations = new MutationObserver(restore)
    mutations.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['open', 'hidden', 'disabled'],
    })
    document.addEventListener('focusin', follow)
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const isElsewhere = !content()?.contains(document.activeElement)
      if (fromLocation && pathChanged && isElsewhere) focus(content())
    })
    return () => {
      mutations.disconnect()
      document.removeEventListener('focusin', follow)
      unsubscribe()
    }
  }, [router])
}

const content = () => document.getElementById('content')

function focus(part: Element | null = content()) {
  if (part instanceof HTMLElement) focusOn(part)
}

function pathOf(element: Element): Element[] {
  const path = []
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each)
  return path
}

const isVisible = (element: Element) =>
  element.isConnected && !element.matches(':disabled') && element.getClientRects().length > 0

function afterFrames(count: number, then: () => void) {
  if (count === 0) then()
  else requestAnimationFrame(() => afterFrames(count - 1, then))
}
