import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@/api/error'
import { followSession } from '@/api/session'
import { createAppRouter } from './router'

const retries = 2

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused it refuses again; what did not get through may.
      retry: (failed, error) => error instanceof ApiError && error.passing && failed < retries,
    },
  },
})
followSession(queries)
const router = createAppRouter(queries)

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  )
}
