import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Marks matching queries as stale and refetches those in use. A query's first fetch is not
 * restarted. Its response may be older than the event, so the query is fetched again afterwards.
 */
export async function invalidate(queries: QueryClient, matches: (query: Query) => boolean) {
  const isFirstRead = ({ state }: Query) =>
    state.fetchStatus === 'fetching' && state.data === undefined
  const first = queries.getQueryCache().findAll({ predicate: matches }).filter(isFirstRead)
  await Promise.all([
    queries.invalidateQueries({ predicate: matches }),
    ...first.map((query) => invalidateAfterRead(queries, query)),
  ])
}

async function invalidateAfterRead(queries: QueryClient, query: Query) {
  await query.promise?.catch(() => undefined)
  await queries.invalidateQueries({ predicate: (each) => each === query })
}
