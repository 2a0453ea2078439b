import { getBoard } from './gen/sdk.gen'
import type { BoardTask as WireBoardTask } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

const toBoardTask = converter<WireBoardTask>()(['deadline'], ['escrow_amount'])

/** An open task with its public fields. Amounts are in wei. */
export type BoardTask = ReturnType<typeof toBoardTask>

/** The open tasks, newest first, in pages. Requires no session. */
const boardQuery = (pageSize: number) =>
  listQuery(['board', pageSize], pageSize, async (query, signal) => {
    const page = await getBoard({ query, signal })
    return toPage(page, page.tasks.map(toBoardTask))
  })

/** The number of tasks shown on the start page. */
export const newestCount = 4

/** The newest open tasks, for the start page. */
export const newestTasksQuery = boardQuery(newestCount)

/** All open tasks, newest first, in pages of 20. */
export const publicBoardQuery = boardQuery(20)
