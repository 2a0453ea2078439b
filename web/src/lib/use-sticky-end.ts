import { useLayoutEffect, useRef } from 'react'

// In px: within this distance of the end the list counts as scrolled to it.
const endMargin = 80

/**
 * Preserves the scroll position of a list: at the end while the reader is there, and at the same
 * entry when earlier ones are added above. `first` and `last` identify the entries at both ends.
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
