import { useEffect, useState } from 'react'
import { recordDispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { aboutTask } from '@/chain/about-task'
import { useTransaction } from '@/chain/transactions'
import { useText } from '@/lib/texts'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { TransactionPanel } from '@/ui/transaction-panel'

const longest = 4_000

/** The human calls the validators before the agent does, with a reason that they read. */
export function DisputeForm({ task, open }: { task: Task; open: boolean }) {
  const [reason, setReason] = useText(`dispute:${task.id}`)
  const [fault, setFault] = useState<string>()
  const transaction = useTransaction(`dispute:${task.id}`)
  const begun = transaction.state.name !== 'idle'
  const isFiled = task.status === 'disputed'
  useEffect(() => {
    if (isFiled && reason) setReason('')
  })
  if (!open && !begun) return null
  const begin = () => {
    if (!reason.trim()) return setFault('Say what the validators should look at.')
    setFault(undefined)
    transaction.begin(async () => {
      const { id, expects } = aboutTask(task)
      return {
        expects,
        does: 'Calls the validators: they decide by vote whether you are paid.',
        call: { contract: 'escrow', name: 'disputeTask', args: [id] },
        proposal: await recordDispute(task.id, reason),
      }
    })
  }
  return (
    <>
      {!begun && (
        <details className="rounded-2xl border border-line px-6 py-4 text-[0.9375rem]">
          <summary className="font-medium">You do not agree with the agent?</summary>
          <p className="mt-2 mb-3 text-ink-soft">
            You need not do anything: without a word of the agent validators look at your work. If
            you know already that you disagree, say why. They begin when the agent’s time is over.
          </p>
          <form
            className="grid gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              begin()
            }}
          >
            <TextArea
              label="What you say"
              value={reason}
              maxLength={longest}
              error={fault}
              onChange={(event) => setReason(event.target.value)}
            />
            <Button type="submit" look="secondary" size="small" className="justify-self-start">
              Call the validators
            </Button>
          </form>
        </details>
      )}
      <TransactionPanel transaction={transaction} done="Your dispute is filed." />
    </>
  )
}
