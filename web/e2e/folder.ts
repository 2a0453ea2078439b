import { resolve } from 'node:path'

/**
 * The folder for the data of the test world and the files that the stories write. Processes that run
 * stories at the same time need different folders: TASKMARKET_STORIES is the suffix of the name.
 */
export const folder = resolve(
  import.meta.dirname,
  `../../.dev/web${process.env.TASKMARKET_STORIES ?? ''}`,
)
