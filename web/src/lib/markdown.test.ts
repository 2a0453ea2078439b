import { expect, test } from 'vitest'
import { parseMarkdown, summary } from './markdown'
import { type Inline, parseInline } from './markdown-inline'

const link = (text: string, href: string, host?: string): Inline => ({
  kind: 'link',
  text,
  href,
  host,
})
const text = (words: string): Inline => ({ kind: 'text', text: words })

test.each<[string, Inline[]]>([
  [
    'plain, with 2 * 3 * 4 and snake_case_name',
    [text('plain, with 2 * 3 * 4 and snake_case_name')],
  ],
  [
    '**so** *it* ~~was~~',
    [
      { kind: 'strong', children: [text('so')] },
      text(' '),
      { kind: 'em', children: [text('it')] },
      text(' '),
      { kind: 'strike', children: [text('was')] },
    ],
  ],
  ['`a * b *`', [{ kind: 'code', text: 'a * b *' }]],
  ['\\*not so\\*', [text('*not so*')]],
  ['**open', [text('**open')]],
  [
    'See https://a.example/x?y=1, and (http://b.example).',
    [
      text('See '),
      link('https://a.example/x?y=1', 'https://a.example/x?y=1'),
      text(', and ('),
      link('http://b.example', 'http://b.example/'),
      text(').'),
    ],
  ],
  [
    '[the quay](https://a.example/q_(1))',
    [link('the quay', 'https://a.example/q_(1)', 'a.example')],
  ],
  ['![](https://a.example/p.png)', [link('https://a.example/p.png', 'https://a.example/p.png')]],
  [
    '[https://bank.example](https://evil.example)',
    [link('https://bank.example', 'https://evil.example/', 'evil.example')],
  ],
  ['xhttps://a.example', [text('xhttps://a.example')]],
  ['[x](javascript:alert(1))', [text('[x](javascript:alert(1))')]],
])('%s', (words, pieces) => {
  expect(parseInline(words)).toEqual(pieces)
})

test('blocks of each kind are parsed', () => {
  const kinds = parseMarkdown(
    '# Title\nfirst\nsecond\n\n- a\n  more\n- b\n\n3. c\n> quoted\n```\ncode\n```\n---\nend',
  ).map((block) => block.kind)
  expect(kinds).toEqual([
    'heading',
    'paragraph',
    'list',
    'list',
    'quote',
    'code',
    'rule',
    'paragraph',
  ])
})

test('a list has its items and its start number', () => {
  expect(parseMarkdown('3. c\n   - x\n4. d')).toEqual([
    {
      kind: 'list',
      start: 3,
      items: [
        [
          { kind: 'paragraph', children: [text('c')] },
          {
            kind: 'list',
            start: undefined,
            items: [[{ kind: 'paragraph', children: [text('x')] }]],
          },
        ],
        [{ kind: 'paragraph', children: [text('d')] }],
      ],
    },
  ])
})

test('a summary is one line', () => {
  const words = '# Hi\n**Yes**, see [the plan](https://a.example):\n- one\n- `two`'
  expect(summary(words, 60)).toBe('Hi Yes, see the plan: one, two')
  expect(summary(words, 8)).toBe('Hi Yes,…')
})

test('text after a fence is not lost', () => {
  expect(JSON.stringify(parseMarkdown('``` and you pay me\nx'))).toContain('and you pay me')
})

/** Returns the nesting depth of the elements. */
const depth = (value: unknown): number =>
  Array.isArray(value)
    ? Math.max(0, ...value.map(depth))
    : typeof value === 'object' && value !== null
      ? 1 + depth(Object.values(value))
      : 0

const most = 20_000
test.each([
  '> ',
  '- ',
  '*',
  '**',
  '_',
  '[',
  '![',
  '`',
  '``` ',
  '~~',
  '(',
  '[](',
  '*a ',
  '`a``b',
  'h',
  'https://',
])('a text of only %j is parsed fast and without deep nesting', (unit) => {
  const began = performance.now()
  const blocks = parseMarkdown(unit.repeat(most / unit.length))
  expect(performance.now() - began).toBeLessThan(2_000)
  expect(depth(blocks)).toBeLessThan(16)
})
