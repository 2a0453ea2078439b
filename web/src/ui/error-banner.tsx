import { ApiError } from '@/api/error'
import { Banner } from './banner'
import { Button } from './button'

/** What went wrong, as the server says it, with what to do next. */
export function ErrorBanner({ error, retry }: { error: Error; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  return (
    <Banner
      tone="bad"
      title={known?.message ?? 'Something went wrong on this page.'}
      action={
        retry && (
          <Button look="secondary" size="small" onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {known?.hint}
      {known?.requestId && (
        <span className="block text-sm">
          If you ask for help, quote <code className="font-mono break-all">{known.requestId}</code>.
        </span>
      )}
    </Banner>
  )
}
