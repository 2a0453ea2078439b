/** The folders of conversations, in the order of their links. */
export const folders = ['inbox', 'requests', 'blocked'] as const
export type Folder = (typeof folders)[number]

/** Parses the search parameters of the messages page; invalid values are ignored. */
export function readMessagesParams(raw: Record<string, unknown>): { folder?: Folder } {
  const folder = folders.find((each) => each === raw.folder)
  return folder ? { folder } : {}
}
