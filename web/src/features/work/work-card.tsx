import { Hand, Hourglass } from 'lucide-react'
import { TaskHeading } from '@/components/task-heading'
import { statusStyles, TaskStatusBadge } from '@/components/task-status'
import { classNames } from '@/lib/class-names'
import type { ApplicationStatus } from '@/lib/facts.gen'
import { entryOf, wordOf } from '@/lib/known'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { Badge, type Tone } from '@/ui/badge'
import { PersonName } from '@/ui/person-name'
import type { Entry } from './entries'
import { amountIs, type Step } from './step'
import { StepLink } from './step-link'
import { Until } from './until'
import type { Planned } from './use-entries'

/** One of the human's tasks, with its progress, its payment and the next step. */
export function WorkCard({ planned: { entry, step } }: { planned: Planned }) {
  const { task } = entry
  return (
    <li className="rounded-2xl border border-line bg-surface shadow-card">
      <div className="p-5 pb-4">
        <TaskHeading task={task} amount={task.payoutAmount} amountIs={amountIs(entry)}>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] text-ink-soft">
            <EntryBadge entry={entry} />
            <span>
              {common.by(<PersonName name={task.agentName} username={task.agentUsername} />)}
            </span>
          </p>
        </TaskHeading>
      </div>
      <NextRow step={step} taskId={task.id} />
    </li>
  )
}

const tones: Record<ApplicationStatus, Tone> = {
  new: 'wait',
  pending: 'accent',
  accepted: 'good',
  rejected: 'bad',
  withdrawn: 'plain',
  expired: 'plain',
  released: 'plain',
}

function EntryBadge({ entry }: { entry: Entry }) {
  if (entry.as === 'worker') return <TaskStatusBadge status={entry.task.status} />
  const { status } = entry.application
  return (
    <Badge tone={entryOf(tones, status) ?? 'plain'} icon={statusStyles.funded.icon}>
      {wordOf(messages.application, status)}
    </Badge>
  )
}

function NextRow({ step, taskId }: { step: Step; taskId: string }) {
  const Icon = step.mine ? Hand : Hourglass
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-b-2xl border-t border-line bg-sunken/60 px-5 py-3">
      <p className="flex min-w-56 flex-1 items-start gap-2.5">
        <Icon
          aria-label={step.mine ? messages.yourTurn : messages.nothingToDo}
          className={classNames(
            'mt-1 size-4 shrink-0',
            step.mine ? 'text-accent' : 'text-ink-soft',
          )}
        />
        <span className={step.mine ? 'font-medium' : 'text-ink-soft'}>{step.what}</span>
      </p>
      {step.until && (
        <p className="flex flex-wrap items-center gap-x-1.5 text-[0.9375rem] text-ink-soft">
          <Until until={step.until} />
        </p>
      )}
      {step.mine && <StepLink step={step} taskId={taskId} />}
    </div>
  )
}
