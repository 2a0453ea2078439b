import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test('a theme chosen in another tab during loading is applied', async () => {
  // The element has no theme at the first paint.
  const dataset: { theme?: string } = {}
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('localStorage', { getItem: () => 'dark' })
  await import('./theme-switch')
  expect(dataset.theme).toBe('dark')
})
