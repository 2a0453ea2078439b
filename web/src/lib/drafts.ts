import { storedList, useStoredValue } from './stored-value'

/** An unsent text and the purpose of the form that it was typed into. */
type Text = readonly [purpose: string, text: string]

const most = 20

const texts = storedList<Text>('drafts.texts', isText)

/**
 * Returns and changes the text of a form. The text is stored, so a failure, a reload or closing the
 * tab does not lose it.
 */
export function useDraft(purpose: string): [text: string, change: (text: string) => void] {
  const text = useStoredValue(texts).find(([name]) => name === purpose)?.[1] ?? ''
  return [text, (next) => storeText(purpose, next)]
}

function storeText(purpose: string, text: string) {
  texts.update((all) => {
    const others = all.filter(([name]) => name !== purpose)
    return text ? [[purpose, text] as const, ...others].slice(0, most) : others
  })
}

// A function declaration, because it is hoisted: `texts` is initialised with it above.
function isText(value: unknown): value is Text {
  return (
    Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')
  )
}
