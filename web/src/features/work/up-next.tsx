import { BellRing } from 'lucide-react'
import { Card } from '@/ui/card'
import { UserLine } from '@/ui/user-text'
import { StepLink } from './step-link'
import { Until } from './until'
import type { Planned } from './use-entries'

/** The most urgent action of the signed-in human. */
export function UpNext({ plan }: { plan: Planned[] }) {
  const mine = plan.filter(({ step }) => step.mine).sort((a, b) => end(a) - end(b))
  const [first] = mine
  if (!first || plan.length === 1) return null
  const { entry, step } = first
  return (
    <Card
      tone="accent"
      aria-labelledby="up-next"
      className="flex flex-wrap items-center gap-x-5 gap-y-4 p-5 sm:p-6"
    >
      <span className="grid size-11 shrink-0 place-items-center rounded-2xl bg-accent text-accent-ink">
        <BellRing aria-hidden className="size-5" />
      </span>
      <div className="min-w-56 flex-1">
        <h2 id="up-next" className="text-lg font-semibold">
          {step.what}
        </h2>
        <p className="flex flex-wrap gap-x-3 text-[0.9375rem] text-ink-soft">
          <UserLine>{entry.task.title}</UserLine>
          {step.until && (
            <span className="inline-flex flex-wrap items-center gap-x-1 font-medium text-ink">
              <Until until={step.until} />
            </span>
          )}
        </p>
      </div>
      <StepLink step={step} taskId={entry.task.id} />
    </Card>
  )
}

const end = ({ step }: Planned) => step.until?.at.getTime() ?? Number.POSITIVE_INFINITY
