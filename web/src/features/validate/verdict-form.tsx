import { useState } from 'react'
import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'
import { contractRefusal } from '@/chain/refusal'
import { useVerdict } from '@/chain/use-verdict'
import { useDraft } from '@/lib/drafts'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/validate'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'
import { VerdictPanel } from './verdict-panel'

interface Props {
  task: Task
  validation: Validation
  wallet: string
}

/** The form for a verdict and its reason, with the review before the signature. */
export function VerdictForm({ task, validation, wallet }: Props) {
  // After the agent's approval only one verdict is possible, so it needs neither a choice nor a reason.
  const isFixed = task.agentApprovedAt !== undefined
  const [chosen, setApproved] = useState<boolean>()
  const approved = isFixed || chosen
  const [faults, setFaults] = useState<{ choice?: string; reason?: string }>({})
  const [reason, setReason] = useDraft(`verdict:${task.id}`)
  const submission = useVerdict({ task, validation }, wallet, {
    submitted: () => setReason(''),
    // The form may be removed when the data is refetched, so a toast reports the rejection.
    rejected: ({ title }) => toast(messages.form.refused(title), 'bad'),
  })
  const begin = () => {
    const next = {
      ...(approved === undefined ? { choice: messages.form.noChoice } : {}),
      ...(reason.trim() || isFixed ? {} : { reason: messages.form.noReason }),
    }
    setFaults(next)
    if (approved === undefined || next.reason) return
    submission.begin({ approved, reason: reason.trim() ? reason : messages.form.agentApproved })
  }
  if (submission.state.name !== 'idle') return <VerdictPanel submission={submission} />
  return (
    <Form className="grid min-w-0 gap-5" onSubmit={begin}>
      <Choice task={task} approved={approved} fault={faults.choice} onChange={setApproved} />
      <TextArea
        label={isFixed ? messages.form.optionalReason : messages.form.reason}
        hint={isFixed ? messages.form.onlyPay : messages.form.reasonHint}
        value={reason}
        maxLength={limits.maxReason}
        error={faults.reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" className="justify-self-start">
        {messages.form.review}
      </Button>
    </Form>
  )
}

const choices = [
  { approved: true, ...messages.choice.pay },
  { approved: false, ...messages.choice.reject },
]

interface ChoiceProps {
  task: Task
  approved: boolean | undefined
  fault: string | undefined
  onChange: (approved: boolean) => void
}

function Choice({ task, approved, fault, onChange }: ChoiceProps) {
  const fixed = task.agentApprovedAt && contractRefusal('AgentHasApproved').message
  const faultId = `choice-fault-${task.id}`
  return (
    <fieldset aria-describedby={fault ? faultId : undefined} className="grid gap-2.5">
      <legend className="mb-2 text-[0.9375rem] font-medium">{messages.form.verdict}</legend>
      {choices.map((choice) => (
        <label
          key={choice.word}
          className="flex items-start gap-3 rounded-xl border border-line-strong px-4 py-3 has-checked:border-accent has-checked:bg-accent-wash has-disabled:opacity-60"
        >
          <input
            type="radio"
            name={`verdict-${task.id}`}
            className="mt-1 size-[1.125rem] shrink-0 accent-accent"
            checked={approved === choice.approved}
            disabled={!choice.approved && fixed !== undefined}
            onChange={() => onChange(choice.approved)}
          />
          <span>
            <span className="block font-medium">{choice.word}</span>
            <span className="block text-sm text-ink-soft">
              {!choice.approved && fixed ? fixed : choice.means}
            </span>
          </span>
        </label>
      ))}
      {fault && (
        <p id={faultId} role="alert" className="text-sm font-medium text-bad">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
