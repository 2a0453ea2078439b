import { ApiError } from '@/api/error'
import { common } from '@/messages/common'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'

/** Shows the server's error message and hint, with a button to retry. */
export function ErrorBanner({ error, retry }: { error: Error; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  return (
    <Banner
      tone="bad"
      title={known?.message ?? common.somethingWrong}
      action={
        retry && (
          <Button variant="secondary" size="small" onClick={retry}>
            {common.tryAgain}
          </Button>
        )
      }
    >
      {known?.hint}
      {known?.requestId && (
        <span className="block text-sm">
          {common.quoteRequest(
            <code translate="no" className="font-mono break-all">
              {known.requestId}
            </code>,
          )}
        </span>
      )}
    </Banner>
  )
}
