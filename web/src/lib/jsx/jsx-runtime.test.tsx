import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

const Button = ({ busy, children }: { busy: boolean; children: ReactNode }) => (
  <button type="button">
    {busy && <i />}
    {children}
  </button>
)

const Passed = ({ children }: { children: ReactNode }) => <>{children}</>

test.each([
  [<p key="">alone</p>, '<p>alone</p>'],
  [<p key="">due {<b>now</b>}</p>, '<p><span>due </span><b>now</b></p>'],
  [
    <p key="">
      {1} of {2}
    </p>,
    '<p><span>1</span><span> of </span><span>2</span></p>',
  ],
  [
    <Button key="" busy>
      Send
    </Button>,
    '<button type="button"><i></i><span>Send</span></button>',
  ],
  [
    <p key="">
      <Passed>first</Passed> <b>second</b>
    </p>,
    '<p><span>first</span> <b>second</b></p>',
  ],
  [<option key="">{'one'} option</option>, '<option>one option</option>'],
])('a text beside other nodes is in an element of its own: %#', (element, html) => {
  expect(renderToStaticMarkup(element)).toBe(html)
})
