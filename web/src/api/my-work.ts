import { infiniteQueryOptions } from '@tanstack/react-query'
import { toApplication } from './application'
import { listHumanApplications, listTasks } from './gen/sdk.gen'
import { toTask } from './task'

// As many as the server gives at once: few people have more.
const page_size = 100

const cursorOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

/** The tasks that the human applied for or was assigned to, newest first, in pages. */
export const myTasksQuery = infiniteQueryOptions({
  queryKey: ['tasks', 'mine'],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ signal, pageParam }) => {
    const query = { scope: 'mine' as const, page_size, ...cursorOf(pageParam) }
    const page = await listTasks({ query, signal })
    return { tasks: page.tasks.map(toTask), nextCursor: page.next_cursor }
  },
  getNextPageParam: (page) => page.nextCursor,
})

/** The own applications, newest first, in pages. */
export const myApplicationsQuery = infiniteQueryOptions({
  queryKey: ['tasks', 'applications'],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ signal, pageParam }) => {
    const query = { page_size, ...cursorOf(pageParam) }
    const page = await listHumanApplications({ query, signal })
    return { applications: page.applications.map(toApplication), nextCursor: page.next_cursor }
  },
  getNextPageParam: (page) => page.nextCursor,
})
