import { useState } from 'react'
import { storedList } from './stored-value'

/** An unsent text and the purpose of the form that it was typed into. */
type Text = readonly [purpose: string, text: string]

const maxDrafts = 20

const texts = storedList<Text>('drafts.texts', isText)

/**
 * Returns and changes the text of a form. The text is stored, so a failure, a reload or closing the
 * tab does not lose it. A text that is typed in another tab is not shown here, because this tab must send the text
 * that its user sees.
 */
export function useDraft(purpose: string): [text: string, change: (text: string) => void] {
  const [local, setOwn] = useState<Text>(() => [purpose, draftOf(purpose)])
  const text = local[0] === purpose ? local[1] : draftOf(purpose)
  const change = (next: string) => {
    setOwn([purpose, next])
    storeDraft(purpose, next, text)
  }
  return [text, change]
}

/** Returns the stored text of a form. */
export const draftOf = (purpose: string): string =>
  texts.get().find(([name]) => name === purpose)?.[1] ?? ''

/**
 * Stores the text of a form. `before` is the text that this tab showed. An empty text deletes the draft, unless
 * another tab has stored a different one.
 */
export function storeDraft(purpose: string, text: string, before: string) {
  texts.update((all) => {
    const others = all.filter(([name]) => name !== purpose)
    if (text) return [[purpose, text] as const, ...others].slice(0, maxDrafts)
    return all.some(([name, stored]) => name === purpose && stored !== before) ? all : others
  })
}

// A function declaration, because it is hoisted: `texts` is initialised with it above.
function isText(value: unknown): value is Text {
  return (
    Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')
  )
}
