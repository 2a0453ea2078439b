import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { News } from './use-events'

const textOf = (item: object) => renderToStaticMarkup(<News item={item as never} />)

test('a toast names the task or the person', () => {
  const title = 'New message'
  const html = textOf({ title, task_title: 'Weigh the bell', counterparty_name: 'Harbour' })
  expect(html).toMatch(/New message.*Weigh the bell/)
  expect(html).not.toMatch(/Harbour/)
  expect(textOf({ title, counterparty_name: 'Harbour' })).toMatch(/translate="no".*Harbour/)
  expect(textOf({ title, task_title: 'a'.repeat(200) })).not.toContain('a'.repeat(61))
  expect(textOf({ title })).toBe('<span class="block">New message</span>')
})
