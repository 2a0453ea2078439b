import { useQueryClient } from '@tanstack/react-query'
import { type Application, recordApplication } from '@/api/application'
import type { Task } from '@/api/task'
import type { Transaction } from '@/chain/transactions'
import { StakeRisk } from '@/components/stake-risk'
import { useDraft } from '@/lib/drafts'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/task'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { UserText } from '@/ui/user-text'
import { lockIntent } from './stake-intents'

interface Props {
  task: Task
  /** The application, if it has been recorded but its stake is not locked yet. */
  recorded: Application | undefined
  transaction: Transaction
}

/** The form for the message to the agent. Submitting it shows what the user will sign. */
export function ApplyForm({ task, recorded, transaction }: Props) {
  const queries = useQueryClient()
  const [message, setMessage] = useDraft(`apply:${task.id}`)
  const apply = () =>
    transaction.begin(async () => {
      if (recorded) return lockIntent(task)
      const proposal = await recordApplication(queries, task.id, message.trim())
      setMessage('')
      return lockIntent(task, proposal)
    })
  return (
    <Card>
      <Form onSubmit={apply} className="grid gap-6 p-6 sm:p-8">
        {recorded ? (
          <div>
            <h2 className="text-lg font-semibold">{messages.applyForm.saved}</h2>
            <p className="mt-1 text-ink-soft">{messages.applyForm.lockHint}</p>
            {recorded.message && (
              <UserText className="mt-4 border-l-2 border-line pl-3.5">{recorded.message}</UserText>
            )}
          </div>
        ) : (
          <TextArea
            label={messages.applyForm.label}
            hint={messages.applyForm.hint}
            value={message}
            maxLength={limits.maxApplication}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Button type="submit">
            {recorded ? messages.applyForm.lock : messages.applyForm.apply}
          </Button>
          <p className="text-sm text-ink-soft">
            <StakeRisk task={task} by="apply" /> {messages.applyForm.reviewNext}
          </p>
        </div>
      </Form>
    </Card>
  )
}
