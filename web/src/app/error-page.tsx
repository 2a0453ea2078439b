import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorBanner } from '@/components/error-banner'
import { messages } from '@/messages/app'
import { Page } from '@/ui/page'

/** In place of a page that could not be shown. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // What could not be read before the page was shown is read again.
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
