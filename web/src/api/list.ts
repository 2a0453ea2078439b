import { infiniteQueryOptions } from '@tanstack/react-query'

/** One page of a list. */
export interface Page<T> {
  items: T[]
  total: number
  nextCursor?: string | undefined
}

/** The loaded pages of a list. */
export interface List<T> {
  items: T[]
  /** The number of items on all pages, including those not loaded. */
  total: number
}

/** Selects the page to request. Without a cursor, the first page is requested. */
export interface PageParams {
  page_size?: number
  cursor?: string
}

export const toPage = <T>(wire: { total: number; next_cursor?: string }, items: T[]): Page<T> => ({
  items,
  total: wire.total,
  nextCursor: wire.next_cursor,
})

const paramsOf = (page_size: number, cursor: string | undefined): PageParams =>
  cursor === undefined ? { page_size } : { page_size, cursor }

/** Joins the loaded pages of a list. */
export const toList = <T>(pages: readonly Page<T>[]): List<T> => ({
  items: pages.flatMap(({ items }) => items),
  total: pages[0]?.total ?? 0,
})

/** Creates a query for a list that is read page by page. */
export const listQuery = <P extends Page<unknown>>(
  queryKey: readonly unknown[],
  pageSize: number,
  read: (params: PageParams, signal: AbortSignal) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => read(paramsOf(pageSize, pageParam), signal),
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }): List<P['items'][number]> => toList(pages),
  })

/** Reads all pages of a list. */
export async function readAll<T>(read: (params: PageParams) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await read(paramsOf(100, cursor))
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}
