import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import served from '../../routes.json'
import { createAppRouter } from './router'

test('the server knows every page of the app, and no other', () => {
  const router = createAppRouter(new QueryClient())
  expect(Object.keys(router.routesByPath).sort()).toEqual([...served].sort())
})
