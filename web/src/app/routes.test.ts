import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import served from '../../routes.json'

test('the server routes exactly the pages of the app', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } }) // for the theme
  const { createAppRouter } = await import('./router')
  vi.unstubAllGlobals() // with a document, the router would need window.history
  const router = createAppRouter(new QueryClient())
  expect(Object.keys(router.routesByPath).sort()).toEqual([...served].sort())
})
