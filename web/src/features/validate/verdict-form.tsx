import { useState } from 'react'
import type { Task } from '@/api/task'
import type { Validation } from '@/api/validation'
import { contractRefusal } from '@/chain/refusal'
import { useVerdict } from '@/chain/use-verdict'
import { limits } from '@/lib/facts.gen'
import { useText } from '@/lib/texts'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { toast } from '@/ui/toast'
import { VerdictPanel } from './verdict-panel'

interface Props {
  task: Task
  validation: Validation
  wallet: string
}

/** The verdict and its reason, and what the wallet signs of them. */
export function VerdictForm({ task, validation, wallet }: Props) {
  const [approved, setApproved] = useState<boolean>()
  const [faults, setFaults] = useState<{ choice?: string; reason?: string }>({})
  const [reason, setReason] = useText(`verdict:${task.id}`)
  const giving = useVerdict({ task, validation }, wallet, {
    given: () => setReason(''),
    // What refuses it may take this form away, so it is told beside the page.
    refused: ({ title }) => toast(`Your verdict was not taken: ${title}`, 'bad'),
  })
  const begin = () => {
    const next = {
      ...(approved === undefined ? { choice: 'Choose one of the two.' } : {}),
      ...(reason.trim() ? {} : { reason: 'Say why. Both sides read it after the decision.' }),
    }
    setFaults(next)
    if (approved !== undefined && !next.reason) giving.begin({ approved, reason })
  }
  if (giving.state.name !== 'idle') return <VerdictPanel giving={giving} />
  return (
    <form
      className="grid min-w-0 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        begin()
      }}
    >
      <Choice task={task} approved={approved} fault={faults.choice} onChange={setApproved} />
      <TextArea
        label="Why"
        hint="What you compared, and what decided it. Both sides read it after the decision."
        value={reason}
        maxLength={limits.maxReason}
        error={faults.reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" className="justify-self-start">
        Look at what you sign
      </Button>
    </form>
  )
}

const choices = [
  { approved: true, word: 'Pay the human', means: 'The work is as agreed.' },
  { approved: false, word: 'Refuse the work', means: 'It is not what was agreed.' },
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
      <legend className="mb-2 text-[0.9375rem] font-medium">Your verdict</legend>
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
