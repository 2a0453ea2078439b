import { createElement, type ElementType, Fragment, type ReactNode } from 'react'

// Elements that can contain only text.
const textOnly: readonly unknown[] = ['option', 'textarea', 'title', 'style', 'text', 'tspan']

/**
 * Gives each text that has siblings an element of its own:
 *
 *     <button>{busy && <Spinner />}Send</button>
 *     <button>{busy && <Spinner />}<span>Send</span></button>
 *
 * Browser translators replace text nodes by elements. React keeps the replaced node. It would throw
 * when it removes that node or inserts another one before it, and a changed text would not be shown.
 * The text of an element without other children is replaced as a whole, so it is safe.
 */
export function withOwnElements<P extends { children?: ReactNode }>(
  type: ElementType,
  props: P,
): P {
  const { children } = props
  if (textOnly.includes(type)) return props
  if (Array.isArray(children)) return { ...props, children: children.map(inElement) }
  // The siblings of a fragment's text are those of the fragment.
  return type === Fragment ? { ...props, children: inElement(children) } : props
}

// Translators ignore white space.
const isText = (child: ReactNode) =>
  typeof child === 'string' ? child.trim() !== '' : typeof child === 'number'

const inElement = (child: ReactNode) => (isText(child) ? createElement('span', null, child) : child)
