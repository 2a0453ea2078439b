import { ArrowRight } from 'lucide-react'
import { messages } from '@/messages/work'
import { ButtonLink } from '@/ui/button-link'
import type { Step } from './step'

/** Links to the page on which a step is performed. */
export function StepLink({ step, taskId }: { step: Step; taskId: string }) {
  const isSubmit = step.to === 'submit'
  return (
    <ButtonLink
      to={isSubmit ? '/tasks/$taskId/submit' : '/tasks/$taskId'}
      params={{ taskId }}
      size="small"
    >
      {isSubmit ? messages.submit : messages.open}
      <ArrowRight aria-hidden className="size-4" />
    </ButtonLink>
  )
}
