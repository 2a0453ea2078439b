import { infiniteQueryOptions } from '@tanstack/react-query'
import { getBoard } from './gen/sdk.gen'
import type { BoardTask as WireBoardTask } from './gen/types.gen'
import { toDateIf } from './wire'

/** An open task, with its public fields. */
export interface BoardTask {
  id: string
  title: string
  skills: string[]
  location?: string | undefined
  remote: boolean
  /** In wei. */
  escrowAmount: bigint
  deadline?: Date | undefined
  agentUsername: string
  agentIsVerified: boolean
}

function toBoardTask(wire: WireBoardTask): BoardTask {
  return {
    id: wire.id,
    title: wire.title,
    skills: wire.skills,
    location: wire.location,
    remote: wire.remote,
    escrowAmount: BigInt(wire.escrow_amount),
    deadline: toDateIf(wire.deadline),
    agentUsername: wire.agent_username,
    agentIsVerified: wire.agent_is_verified,
  }
}

/** The open tasks, newest first, in pages. Public. */
const boardQuery = (pageSize: number) =>
  infiniteQueryOptions({
    queryKey: ['board', pageSize],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const page = await getBoard({ query: { page_size: pageSize, ...cursor }, signal })
      return { tasks: page.tasks.map(toBoardTask), total: page.total, nextCursor: page.next_cursor }
    },
    getNextPageParam: (page) => page.nextCursor,
  })

/** How many tasks a glance at the board shows. */
export const glanced = 4

/** The newest open tasks, to begin with. */
export const glanceQuery = boardQuery(glanced)

/** All open tasks, page by page. */
export const publicBoardQuery = boardQuery(20)
