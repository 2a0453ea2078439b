import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storedValue } from './stored-value'

let stored: Map<string, string>
let full = false

beforeEach(() => {
  stored = new Map()
  full = false
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, text: string) {
      if (full) throw new Error('full')
      stored.set(key, text)
    },
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const list = () =>
  storedValue<string[]>(
    'list',
    (text) => (text ? text.split(',') : []),
    (all) => all.join(',') || null,
  )

test('an update includes another tab’s change before its event arrives', () => {
  const [one, other] = [list(), list()]
  one.update((all) => [...all, 'a'])
  other.update((all) => [...all, 'b'])
  expect(other.get()).toEqual(['a', 'b'])
  one.update((all) => all.filter((each) => each !== 'b'))
  expect(stored.get('taskmarket.list')).toBe('a')
})

test('the latest value is read without waiting for the event of another tab', () => {
  const value = list()
  const heard = vi.fn()
  value.subscribe(heard)
  // Another tab has changed the value, but its storage event has not arrived yet.
  stored.set('taskmarket.list', 'b')
  expect(value.latest()).toEqual(['b'])
  expect(value.get()).toEqual(['b'])
  expect(heard).toHaveBeenCalledOnce()
})

test.each(['visibilitychange', 'focus', 'pageshow'])(
  'a frozen page reads another tab’s change at %s',
  (event) => {
    const window = new EventTarget()
    const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('window', window)
    vi.stubGlobal('document', document)
    const target = event === 'visibilitychange' ? document : window
    const value = list()
    stored.set('taskmarket.list', 'b')
    target.dispatchEvent(new Event(event))
    expect(value.get()).toEqual([])
    document.visibilityState = 'visible'
    target.dispatchEvent(new Event(event))
    expect(value.get()).toEqual(['b'])
  },
)

test('a value that could not be stored survives the return to the page', () => {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const value = list()
  full = true
  value.update(() => ['a'])
  window.dispatchEvent(new Event('focus'))
  expect([value.get(), value.latest()]).toEqual([['a'], ['a']])
})

test('a value that could not be stored is kept in memory', () => {
  const value = list()
  value.update(() => ['a'])
  full = true
  value.update((all) => [...all, 'b'])
  expect(value.get()).toEqual(['a', 'b'])
  value.update((all) => [...all, 'c'])
  expect(value.get()).toEqual(['a', 'b', 'c'])
  full = false
  value.update((all) => [...all, 'd'])
  expect(stored.get('taskmarket.list')).toBe('a,b,c,d')
})
