import { resolve } from 'node:path'

/**
 * The folder of the test world and of what the stories write. Two processes can run parts of the
 * stories at the same time: TASKMARKET_STORIES is the suffix of their folders.
 */
export const folder = resolve(
  import.meta.dirname,
  `../../.dev/web${process.env.TASKMARKET_STORIES ?? ''}`,
)
