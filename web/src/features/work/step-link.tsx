import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { messages } from '@/messages/work'
import { buttonClass } from '@/ui/button'
import type { Step } from './step'

/** Leads to where a step is done. */
export function StepLink({ step, taskId }: { step: Step; taskId: string }) {
  const look = buttonClass('primary', 'small')
  if (step.to === 'submit') {
    return (
      <Link to="/tasks/$taskId/submit" params={{ taskId }} className={look}>
        {messages.submit}
        <ArrowRight aria-hidden className="size-4" />
      </Link>
    )
  }
  return (
    <Link to="/tasks/$taskId" params={{ taskId }} className={look}>
      {messages.open}
      <ArrowRight aria-hidden className="size-4" />
    </Link>
  )
}
