import { useLayoutEffect, useRef } from 'react'

// So close to the end counts as being there.
const near = 80

/**
 * Keeps a scrolling list where its reader is: at the end while they are at the end, and at the
 * same entry when earlier ones come in above. `first` and `last` name the entries at both ends.
 */
export function useStickyEnd(first: string | undefined, last: string) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef({ first, last, height: 0, below: 0 })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const known = before.current
    const atEnd = known.height === 0 || known.below < near
    if (known.height > 0 && known.first !== first) {
      element.scrollTop += element.scrollHeight - known.height
    } else if (atEnd || known.last !== last) {
      element.scrollTop = element.scrollHeight
    }
    const keep = () => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight
      before.current = { first, last, height: element.scrollHeight, below }
    }
    keep()
    element.addEventListener('scroll', keep, { passive: true })
    return () => element.removeEventListener('scroll', keep)
  }, [first, last])

  return box
}
