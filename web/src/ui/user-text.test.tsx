import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hostileTexts } from '../../e2e/untrusted-texts'
import { UserLine, UserText } from './user-text'

const allowed = 'bdi div p pre code blockquote ul ol li hr strong em s a span'.split(' ')
const attributes = 'class dir start href title target rel translate'.split(' ')
const safe = /^https?:\/\/[^@]*$/

/**
 * Returns the document's tags with their attributes. Brackets in text are escaped, so they are not
 * matched.
 */
const tags = (html: string) =>
  [...html.matchAll(/<([a-z]+)((?: [a-z]+="[^"]*")*)\/?>/g)].map(([, name = '', rest = '']) => ({
    name,
    given: new Map(
      [...rest.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  }))

test('the list has at least a hundred hostile texts', () => {
  expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(100)
})

test.each(hostileTexts)('%j is rendered as harmless elements only', (text) => {
  for (const html of [
    renderToStaticMarkup(<UserText>{text}</UserText>),
    renderToStaticMarkup(<UserLine>{text}</UserLine>),
  ]) {
    const found = tags(html)
    // An unexpected tag would still be there after the replacement.
    expect(html.replace(/<\/?[a-z]+(?: [a-z]+="[^"]*")*\/?>/g, '')).not.toMatch(/[<>]/)
    for (const { name, given } of found) {
      expect(allowed).toContain(name)
      for (const key of given.keys()) expect(attributes).toContain(key)
      if (name !== 'a') continue
      expect(given.get('href')).toMatch(safe)
      expect(given.get('rel')).toBe('noopener nofollow ugc')
    }
  }
})

test('a misleading link shows its host', () => {
  const html = renderToStaticMarkup(<UserText>[bank.example](https://evil.example/login)</UserText>)
  expect(html).toMatch(/<span>bank\.example<\/span> <span[^>]*>evil\.example<\/span>/)
})

test.each([
  ['`a-code`', /<code translate="no"[^>]*>a-code</],
  ['```\nblock\n```', /<pre translate="no"/],
  ['https://example.org/a', /<a [^>]*translate="no"[^>]*>(<span>)?https:\/\/example\.org\/a</],
  ['[the plan](https://example.org/a)', /<span translate="no"[^>]*>example\.org</],
])('translators leave %j as it is', (text, marked) => {
  expect(renderToStaticMarkup(<UserText>{text}</UserText>)).toMatch(marked)
})

test('images are rendered as links', () => {
  const html = renderToStaticMarkup(<UserText>{'![me](https://evil.example/p.gif)'}</UserText>)
  expect(html).not.toContain('<img')
  expect(html).toContain('href="https://evil.example/p.gif"')
})
