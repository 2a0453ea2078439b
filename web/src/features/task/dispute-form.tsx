import { useEffect, useState } from 'react'
import { recordDispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { aboutTask } from '@/chain/about-task'
import { useTransaction } from '@/chain/transactions'
import { limits } from '@/lib/facts.gen'
import { useText } from '@/lib/texts'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { StakeRisk } from '@/ui/stake-risk'
import { TransactionPanel } from '@/ui/transaction-panel'

/** Opens a dispute by the human, with a reason for the validators. */
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
        does: 'Opens a dispute: validators decide by vote. If they reject your work, you are not paid and lose your stake.',
        call: { contract: 'escrow', name: 'disputeTask', args: [id] },
        proposal: await recordDispute(task.id, reason),
      }
    })
  }
  return (
    <>
      {!begun && (
        <details className="rounded-2xl border border-line px-6 py-4 text-[0.9375rem]">
          <summary className="font-medium">Problem with this task?</summary>
          <p className="mt-2 mb-3 text-ink-soft">
            You do not have to do anything: if the agent does not respond, validators review your
            work anyway. Open a dispute to tell them your side. They vote after the agent’s time to
            respond is over.
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
              maxLength={limits.maxReason}
              error={fault}
              onChange={(event) => setReason(event.target.value)}
            />
            <Button type="submit" look="secondary" size="small" className="justify-self-start">
              Open a dispute
            </Button>
            <p className="text-sm text-ink-soft">
              <StakeRisk task={task} by="work" />
            </p>
          </form>
        </details>
      )}
      <TransactionPanel transaction={transaction} done="Your dispute is filed." />
    </>
  )
}
