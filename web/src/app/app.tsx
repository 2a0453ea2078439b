import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@/api/error'
import { followSession } from '@/api/session'
import { reportFailure } from '@/lib/failures'
import { createAppRouter } from './router'

const retries = 2
// In ms: the interval at which a visible page retries a failed request.
const again = 15_000

const isPassing = (error: unknown) => error instanceof ApiError && error.passing

const onError = (error: Error) => {
  if (isPassing(error)) reportFailure()
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused it refuses again; what did not get through may.
      retry: (failed, error) => isPassing(error) && failed < retries,
      refetchInterval: ({ state }) => isPassing(state.error) && again,
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
