import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

/** Whether the query has no data yet, and its first request has not failed. */
const predicate = ({ state }: Query) =>
  state.data === undefined && state.fetchStatus === 'fetching' && state.fetchFailureCount === 0

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
      <div hidden={!isComplete}>{children}</div>
    </>
  )
}
