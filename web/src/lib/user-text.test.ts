import { expect, test } from 'vitest'
import { pieces, visible } from './user-text'

test('links are found, without the punctuation behind them', () => {
  expect(pieces('See https://a.example/x?y=1, and (http://b.example).')).toEqual([
    { text: 'See ' },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ', and (' },
    { text: 'http://b.example', href: 'http://b.example' },
    { text: ').' },
  ])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'www.a.example',
  '<a href="x">y</a>',
  'http://',
])('%s is no link', (text) => {
  expect(pieces(text)).toEqual([{ text }])
})

test('what hides or turns text is taken out', () => {
  expect(visible('pay\u202e001\u200b to\u0007 me\r\nnow\tplease')).toBe('pay001 to me\nnow\tplease')
})
