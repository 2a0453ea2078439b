import { useEffect, useState } from 'react'
import { recordDispute } from '@/api/dispute'
import type { Task } from '@/api/task'
import { aboutTask } from '@/chain/about-task'
import { useTransaction } from '@/chain/transactions'
import { StakeRisk } from '@/components/stake-risk'
import { TransactionPanel } from '@/components/transaction-panel'
import { useDraft } from '@/lib/drafts'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/task'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { Disclosure } from './disclosure'

const decided: readonly string[] = ['approved', 'rejected']

/** The form with which the human opens a dispute, with a reason for the validators. */
export function DisputeForm({ task, open }: { task: Task; open: boolean }) {
  const [reason, setReason] = useDraft(`dispute:${task.id}`)
  const [fault, setFault] = useState<string>()
  const isFiled = task.status === 'disputed'
  const transaction = useTransaction(`dispute:${task.id}`, decided.includes(task.status))
  const started = transaction.state.name !== 'idle'
  useEffect(() => {
    if (isFiled && reason) setReason('')
  })
  if (!open && !started) return null
  const begin = () => {
    if (!reason.trim()) return setFault(messages.disputeForm.missing)
    setFault(undefined)
    transaction.begin(async () => {
      const { id, expects } = aboutTask(task)
      return {
        expects,
        does: messages.disputeForm.does,
        call: { contract: 'escrow', name: 'disputeTask', args: [id] },
        proposal: await recordDispute(task.id, reason),
      }
    })
  }
  return (
    <>
      {!started && (
        <Disclosure title={messages.disputeForm.title} text={messages.disputeForm.text}>
          <Form className="grid gap-3" onSubmit={begin}>
            <TextArea
              label={messages.disputeForm.label}
              value={reason}
              maxLength={limits.maxReason}
              error={fault}
              onChange={(event) => setReason(event.target.value)}
            />
            <Button type="submit" variant="secondary" size="small" className="justify-self-start">
              {messages.disputeForm.open}
            </Button>
            <p className="text-sm text-ink-soft">
              <StakeRisk task={task} by="work" />
            </p>
          </Form>
        </Disclosure>
      )}
      <TransactionPanel transaction={transaction} done={messages.disputeForm.done} />
    </>
  )
}
