import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useEffect, useState } from 'react'

// The roots of the keys of the queries around the page, in its header, banner and footer.
const around: readonly unknown[] = ['health', 'conversations', 'instance']

/** Whether a query of the page has no data yet, and its first request has not failed. */
export const predicate = ({ queryKey, state }: Query) =>
  !around.includes(queryKey[0]) &&
  state.data === undefined &&
  state.fetchStatus === 'fetching' &&
  state.fetchFailureCount === 0

/** Whether the parts of the page are visible. */
export const Revealed = createContext(true)

interface Props {
  /** Shown until then, in the size of a page. */
  skeleton: ReactNode
  children: ReactNode
}

/**
 * Shows parts of a page when the data of all of them have arrived. Otherwise each part would move
 * what is below it.
 */
export function Together({ skeleton, children }: Props) {
  const queries = useQueryClient()
  const [isComplete, setComplete] = useState(false)
  useIsFetching({ predicate }) // renders again when it changes
  useEffect(() => {
    // The parts have begun their requests, because their effects ran before this one.
    if (!isComplete && queries.isFetching({ predicate }) === 0) setComplete(true)
  })
  return (
    <>
      {!isComplete && skeleton}
      <div hidden={!isComplete}>
        <Revealed value={isComplete}>{children}</Revealed>
      </div>
    </>
  )
}
