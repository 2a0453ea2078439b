import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorBanner } from '@/components/error-banner'
import { messages } from '@/messages/app'
import { Page } from '@/ui/page'

/** The page that is shown if another page failed to render. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // Also refetches the data that failed to load before the error page was shown.
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title={messages.errorPage}>
      <ErrorBanner
        error={error instanceof Error ? error : new Error(String(error))}
        retry={retry}
      />
    </Page>
  )
}
