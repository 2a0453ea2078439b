import { useLayoutEffect, useRef } from 'react'

// In px: if the end of the list is closer than this, the list counts as scrolled to its end.
const endMargin = 80

/**
 * Preserves a list's scroll position when earlier entries are added above. The list is scrolled to
 * its end when an entry is added there, and remains at the end if it is scrolled there. `first` and
 * `last` identify the outermost entries.
 */
export function useStickyEnd(first: string | undefined, last: string) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef({ first, last, height: 0, below: 0 })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const previous = before.current
    const atEnd = previous.height === 0 || previous.below < endMargin
    if (previous.height > 0 && previous.first !== first) {
      element.scrollTop += element.scrollHeight - previous.height
    } else if (atEnd || previous.last !== last) {
      element.scrollTop = element.scrollHeight
    }
    const record = () => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight
      before.current = { first, last, height: element.scrollHeight, below }
    }
    record()
    element.addEventListener('scroll', record, { passive: true })
    return () => element.removeEventListener('scroll', record)
  }, [first, last])

  return box
}
