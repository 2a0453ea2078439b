import { expect, test } from 'vitest'
import { excerpt, hostToShow, safeAddress, visible, withoutHidden } from './user-text'

test('invisible and bidirectional characters are removed', () => {
  expect(visible('pay\u202e001\u200b to\u0007 me\r\nnow\tplease')).toBe('pay001 to me\nnow\tplease')
  expect(visible('a\u2028b\u{e0041}c\ufff9d')).toBe('a\nbcd')
})

test.each([
  'Two lines.\r\n\tIndented.',
  'Größe 3 m² — “noon” 港',
  'e\u0301',
  '\u2764\ufe0f\u200d\u{1f525}',
  '\u{1f469}\u200d\u{1f467}',
  '1\ufe0f\u20e3',
  'می\u200cخواهم',
  '\u0600 \u06dd',
])('%j is sent unchanged', (text) => {
  expect(withoutHidden(text)).toBe(text)
})

test.each([
  ['pay\u200bpal\ufeff \u00ad\u202egpj', 'paypal gpj'],
  ['a\u200db', 'ab'],
  ['\u{1f469}\u200d', '\u{1f469}'],
  ['\u2764\ufe0f\ufe0f', '\u2764\ufe0f'],
  ['a\u{e0041}\u{e0100}\ufe0f', 'a'],
  ['\u2028x\u0007\u007f', 'x'],
])('%j is sent as %j', (text, sent) => {
  expect(withoutHidden(text)).toBe(sent)
})

test('stacked marks are limited', () => {
  expect(visible(`e${'\u0301'.repeat(50)}`)).toBe(`e${'\u0301'.repeat(8)}`)
  expect(visible('e\u0301 שָׁלוֹם กำ လျှော့ 👩‍👧')).toBe('e\u0301 שָׁלוֹם กำ လျှော့ 👩‍👧')
})

test.each([
  ['one\n\n two', 20, 'one two'],
  ['12345', 5, '12345'],
  ['123456', 5, '1234…'],
  ['👍👍👍', 2, '👍…'],
])('the beginning of %j in %d characters', (text, characters, line) => {
  expect(excerpt(text, characters)).toBe(line)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'www.a.example',
  '//a.example',
  'https:a.example',
  'http://',
  'ftp://a.example',
  'https://a.example@b.example/',
  `https://a.example/${'x'.repeat(2_000)}`,
])('%s is not a safe address', (text) => {
  expect(safeAddress(text)).toBeUndefined()
})

test.each([
  ['https://a.example/x', 'https://a.example/x', undefined],
  ['HTTPS://A.example', 'https://a.example', undefined],
  ['here', 'https://a.example/x', 'a.example'],
  ['https://bank.example', 'https://a.example', 'a.example'],
  ['https://bank.example.', 'https://bank.example', 'bank.example'],
  ['https://b\u0430nk.example', 'https://b\u0430nk.example', 'xn--bnk-6cd.example'],
])('the host shown for the link text %s to %s', (words, href, host) => {
  expect(hostToShow(words, new URL(href))).toBe(host)
})
