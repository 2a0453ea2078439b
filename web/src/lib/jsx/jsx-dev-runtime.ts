// The JSX runtime of the app in development and in tests: see jsx-runtime.ts.
import type { ElementType, Key, ReactElement } from 'react'
import { type JSXSource, jsxDEV as reactJsxDEV } from 'react/jsx-dev-runtime'
import { withOwnElements } from './own-elements'

// biome-ignore lint/performance/noBarrelFile: compiled JSX imports this name from here
export { Fragment } from 'react/jsx-dev-runtime'

/** Creates an element, with checks that help in development. */
export const jsxDEV = (
  type: ElementType,
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement => reactJsxDEV(type, withOwnElements(type, props), key, isStatic, source, self)
