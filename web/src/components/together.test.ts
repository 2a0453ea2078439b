import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { predicate } from './together'

test.each([
  [['task', 'a', 'next'], true],
  [['profile', 'harbour'], true],
  [['health'], false],
  [['conversations', 'unread'], false],
])('a page waits for the first data of %j: %s', (queryKey, waits) => {
  const queries = new QueryClient()
  void queries.fetchQuery({ queryKey, queryFn: () => new Promise(() => undefined) })
  expect(queries.isFetching({ predicate })).toBe(waits ? 1 : 0)
})
