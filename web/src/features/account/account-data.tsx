import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { readAccount } from '@/api/account'
import { ErrorBanner } from '@/components/error-banner'
import { save } from '@/lib/save'
import { messages } from '@/messages/account'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { toast } from '@/ui/toast'

const words = messages.data

/** The button that saves all records of the account as a file. */
export function AccountData() {
  const reading = useMutation({
    mutationFn: readAccount,
    onSuccess: (records) => {
      const text = JSON.stringify(records, undefined, 2)
      save('task-market-account.json', new Blob([text], { type: 'application/json' }))
      toast(words.saved(records.length))
    },
  })
  return (
    <Card heading={words.title} headingClass="text-xl font-semibold" className="p-6 sm:p-8">
      <p className="mt-2 text-ink-soft">{words.text}</p>
      <div className="mt-5 grid gap-3">
        {reading.isError && <ErrorBanner error={reading.error} />}
        <Button
          variant="secondary"
          busy={reading.isPending}
          onClick={() => reading.mutate()}
          className="justify-self-start"
        >
          <Download aria-hidden className="size-4" />
          {words.download}
        </Button>
      </div>
    </Card>
  )
}
