import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@/api/error'
import { followSession } from '@/api/session'
import { requestFailed } from '@/lib/event'
import { createAppRouter } from './router'

const retries = 2
// In ms: the interval at which a visible page retries failed requests.
const retryInterval = 15_000

const isTransient = (error: unknown) => error instanceof ApiError && error.transient

const onError = (error: Error) => {
  if (isTransient(error)) requestFailed.emit()
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Only requests without a response or with a temporary error are retried; others would fail
      // again.
      retry: (failed, error) => isTransient(error) && failed < retries,
      refetchInterval: ({ state }) => isTransient(state.error) && retryInterval,
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
