import { expect, test } from 'vitest'
import { cleanText, excerpt, hostToShow, safeAddress, visible } from './user-text'

test('invisible and bidirectional characters are removed', () => {
  expect(visible('pay\u202e001\u200b to\u0007 me\r\nnow\tplease')).toBe('pay001 to me\nnow\tplease')
  expect(visible('a\u2028b\u{e0041}c\ufff9d')).toBe('a\nbcd')
})

const flagOfWales = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'

test.each([
  'Two lines.\n\tIndented.',
  'Größe 3 m² — “noon” 港',
  '\u2764\ufe0f\u200d\u{1f525} 1\ufe0f\u20e3 \u{1f469}\u200d\u{1f467}',
  `${flagOfWales} ${flagOfWales}`,
  'می\u200cخواهم',
  'അവന്\u200d പറഞ്ഞു',
  'ශ්\u200dරී',
  'ខ្ញុំ\u200bចង់\u200bថត \u200bរូប\u200b',
  'ถ่าย\u200bรูป\u2060ร้าน',
  'မြန်မာ\u200bနိုင်ငံ',
  'ᠭ\u180bᠠ ᠠᠮᠠᠷ\u180eᠠ ᠭ\u180d\u180eᠠ',
  '葛\u{e0100}飾区 神\ufe00社',
  '⠓⠑\u2800⠺',
])('%j is sent and shown unchanged', (text) => {
  expect(cleanText(text)).toBe(text)
  expect(visible(text)).toBe(text)
})

test.each([
  ['pho\u00adto\ufeff', 'photo'],
  ['\u200e120\u200f \u202a+351\u202c \u2068Ada\u2069', '120 +351 Ada'],
  ['pay\u200bpal', 'pay\u200bpal'],
  ['a\u{e0041}\u{e0100}', 'a\u{e0041}\u{e0100}'],
])('%j is sent as %j', (text, sent) => {
  expect(cleanText(text)).toBe(sent)
})

test.each([
  ['pay\u200bpal', 'paypal'],
  ['\u{1f3f4}x\u{e0067}\u{e007f}', '\u{1f3f4}x'],
  ['a\u180eb\u2800\u2060c', 'abc'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
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
