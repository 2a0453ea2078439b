import { storedValue, useStoredValue } from './stored-value'

/** A text that is written and not yet sent, by its purpose. */
type Text = readonly [purpose: string, text: string]

const most = 20

const texts = storedValue<readonly Text[]>('drafts.texts', readTexts, (all) =>
  all.length === 0 ? null : JSON.stringify(all),
)

/** A text that outlives a failure, a reload and a closed tab; empty once it was sent. */
export function useDraft(purpose: string): [text: string, change: (text: string) => void] {
  const text = useStoredValue(texts).find(([name]) => name === purpose)?.[1] ?? ''
  return [text, (next) => keepText(purpose, next)]
}

function keepText(purpose: string, text: string) {
  texts.update((all) => {
    const others = all.filter(([name]) => name !== purpose)
    return text ? [[purpose, text] as const, ...others].slice(0, most) : others
  })
}

function readTexts(stored: string | null): readonly Text[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(all) ? all.filter(isText) : []
  } catch {
    return []
  }
}

// Hoisted: what is stored is read before this line is reached.
function isText(value: unknown): value is Text {
  return (
    Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')
  )
}
