import { useState } from 'react'

/** Shows a list in steps, with the interface of a paged query. */
export function usePartialList<T>(all: readonly T[], step: number) {
  const [count, setCount] = useState(step)
  return {
    data: { items: all.slice(0, count), total: all.length },
    hasNextPage: count < all.length,
    isFetchingNextPage: false,
    fetchNextPage: () => setCount(count + step),
  }
}
