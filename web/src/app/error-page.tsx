import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorBanner } from '@/ui/error-banner'
import { Page } from '@/ui/page'

/** In place of a page that could not be shown. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown">
      <ErrorBanner
        error={error instanceof Error ? error : new Error(String(error))}
        retry={reset}
      />
    </Page>
  )
}
