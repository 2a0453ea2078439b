import { storedList } from '@/lib/stored-value'
import { messages } from '@/messages/submit'

/**
 * Work that is not submitted yet. It is stored in the browser, so closing the tab does not lose it.
 */
export interface Draft {
  note: string
  link: string
  /** The ids of the human's uploaded files that are excluded from the work. */
  leftOut: string[]
}

export const emptyDraft: Draft = { note: '', link: '', leftOut: [] }

const maxDrafts = 10

/** The drafts that are stored in this browser, newest first. */
export const drafts = storedList<Draft & { task: string }>('drafts.work', isDraft)

/** Returns the stored draft for a task. */
export function draftOf(task: string): Draft {
  const { note, link, leftOut } = drafts.get().find((each) => each.task === task) ?? emptyDraft
  return { note, link, leftOut }
}

/** Stores the draft for a task, or deletes it if `draft` is undefined. */
export function storeDraft(task: string, draft: Draft | undefined) {
  drafts.update((all) => {
    const others = all.filter((each) => each.task !== task)
    return draft ? [{ task, ...draft }, ...others].slice(0, maxDrafts) : others
  })
}

function isDraft(value: unknown): value is Draft & { task: string } {
  if (typeof value !== 'object' || value === null) return false
  const { task, note, link, leftOut } = value as Record<string, unknown>
  return [task, note, link].every((each) => typeof each === 'string') && Array.isArray(leftOut)
}

/** Returns the error messages of a draft's fields. */
export function errorsOf({ note, link }: Draft, files: number): { note?: string; link?: string } {
  const text = link.trim()
  if (text && !(URL.canParse(text) && /^https?:\/\/\S+$/.test(text)))
    return { link: messages.missing.link }
  if (!note.trim() && !text && files === 0) return { note: messages.missing.note }
  return {}
}
