import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import served from '../../routes.json'

test('the server routes exactly the pages of the app', async () => {
  // Importing the router applies the theme, which needs a document.
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  const { createAppRouter } = await import('./router')
  // With a document, the router would need window.history.
  vi.unstubAllGlobals()
  const router = createAppRouter(new QueryClient())
  expect(Object.keys(router.routesByPath).sort()).toEqual([...served].sort())
})
