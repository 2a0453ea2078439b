import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { invalidate } from './invalidate'

/** A server whose responses are delayed until `arrive` is called. */
function slowServer() {
  let value = 'before'
  const arriving: (() => void)[] = []
  return {
    change: (next: string) => {
      value = next
    },
    answer: () => {
      const made = value
      return new Promise<string>((done) => arriving.push(() => done(made)))
    },
    arrive: () => {
      for (const each of arriving.splice(0)) each()
    },
    waiting: () => arriving.length,
  }
}

test.each([true, false])(
  'an event during the first fetch causes a second one (shown: %s)',
  async (shown) => {
    const server = slowServer()
    const queries = new QueryClient()
    const options = { queryKey: ['task', 'a'], queryFn: server.answer, staleTime: 60_000 }
    const observer = new QueryObserver(queries, options)
    const stop = shown ? observer.subscribe(() => undefined) : () => undefined
    if (!shown) void queries.prefetchQuery(options)
    await expect.poll(server.waiting).toBe(1)
    server.change('after') // the response in progress contains the old value
    const done = invalidate(queries, ({ queryKey }) => queryKey[0] === 'task')
    server.arrive()
    await expect.poll(() => queries.getQueryData(options.queryKey)).toBe('before')
    await expect.poll(() => server.waiting() === 1 || !shown).toBe(true)
    server.arrive()
    await done
    if (!shown) expect(queries.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
    else expect(queries.getQueryData(options.queryKey)).toBe('after')
    stop()
    queries.clear()
  },
)

test('only matching queries are invalidated', async () => {
  const queries = new QueryClient()
  queries.setQueryData(['task', 'a'], 1)
  queries.setQueryData(['contracts'], 1)
  await invalidate(queries, ({ queryKey }) => queryKey[0] === 'task')
  expect(queries.getQueryState(['task', 'a'])?.isInvalidated).toBe(true)
  expect(queries.getQueryState(['contracts'])?.isInvalidated).toBe(false)
})
