import { ApiError } from '@/api/error'
import { common } from '@/messages/common'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'

/** Shows the server's error message and hint, with a button to retry. */
export function ErrorBanner({ error, retry }: { error: Error; retry?: () => void }) {
  const failure = error instanceof ApiError ? error : undefined
  return (
    <Banner
      tone="bad"
      title={failure?.message ?? common.somethingWrong}
      action={
        retry && (
          <Button variant="secondary" size="small" onClick={retry}>
            {common.tryAgain}
          </Button>
        )
      }
    >
      {failure?.hint}
      {failure?.requestId && (
        <span className="block text-sm">
          {common.quoteRequest(
            <code translate="no" className="font-mono break-all">
              {failure.requestId}
            </code>,
          )}
        </span>
      )}
    </Banner>
  )
}
