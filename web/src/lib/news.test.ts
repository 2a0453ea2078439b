import { afterEach, expect, test } from 'vitest'
import { countNews, isAfter, markSeen, news, readNews, startNews } from './news'

afterEach(() => news.set(undefined))

test('on the first visit only later events are new', () => {
  expect(startNews('ada', 'a-5')).toBe('a-5')
  countNews('a-5', ['old'])
  countNews('a-6', ['new'])
  expect(news.get()?.unseen).toEqual(['new'])
})

test('counting continues after the last counted event', () => {
  startNews('ada', 'a-5')
  countNews('a-9', ['one'])
  expect(startNews('ada', 'a-40')).toBe('a-9')
  expect(news.get()?.unseen).toEqual(['one'])
})

test('another human does not get the news of the last one', () => {
  startNews('ada', 'a-5')
  countNews('a-6', ['private'])
  expect(startNews('grace', 'a-7')).toBe('a-7')
  expect(news.get()?.unseen).toEqual([])
})

test('an event that a tab receives again, after it was seen, is not new', () => {
  startNews('ada', 'a-5')
  countNews('a-10', ['one'])
  markSeen()
  countNews('a-10', ['one'])
  countNews('a-9', ['earlier'])
  expect(news.get()?.unseen).toEqual([])
})

test('positions are ordered by number, and a new log follows the old one', () => {
  expect(isAfter('a-10', 'a-9')).toBe(true)
  expect(isAfter('a-9', 'a-10')).toBe(false)
  expect(isAfter('a-9', 'a-9')).toBe(false)
  expect(isAfter('b-1', 'a-9')).toBe(true)
})

test.each([null, '', 'null', '[]', '{"human":"ada"}', '{"human":"ada","after":1,"unseen":[]}'])(
  'stored text %j contains no news',
  (stored) => {
    expect(readNews(stored)).toBeUndefined()
  },
)

test('items with invalid ids are ignored', () => {
  const stored = '{"human":"ada","after":"a-1","unseen":["one",2]}'
  expect(readNews(stored)).toEqual({ human: 'ada', after: 'a-1', unseen: ['one'] })
})
