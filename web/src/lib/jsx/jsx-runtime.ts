// The JSX runtime of the app, which tsconfig.json selects.
import type { ElementType, Key, ReactElement } from 'react'
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { withOwnElements } from './own-elements'

// biome-ignore lint/performance/noBarrelFile: compiled JSX imports these names from here
export { Fragment, type JSX } from 'react/jsx-runtime'

/** Creates an element with at most one child. */
export const jsx = (type: ElementType, props: object, key?: Key): ReactElement =>
  reactJsx(type, withOwnElements(type, props), key)

/** Creates an element with several children. */
export const jsxs = (type: ElementType, props: object, key?: Key): ReactElement =>
  reactJsxs(type, withOwnElements(type, props), key)
