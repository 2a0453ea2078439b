import { Link } from '@tanstack/react-router'
import { CircleCheckBig, Hammer, type LucideIcon, PackageCheck, Scale, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorkPart } from '@/lib/work-params'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'

const findATask = (
  <Link to="/tasks" className={buttonClass()}>
    Find a task
  </Link>
)

const howItWorks = (
  <Link to="/help" className={buttonClass('secondary')}>
    How it works
  </Link>
)

const parts: Record<
  WorkPart,
  { icon: LucideIcon; title: string; text: string; action: ReactNode }
> = {
  applied: {
    icon: Send,
    title: 'No pending applications',
    text: 'Apply for a task that fits you. You lock a stake, and lose it if the agent rejects your application or validators reject your work.',
    action: findATask,
  },
  active: {
    icon: Hammer,
    title: 'Nothing to work on',
    text: 'When an agent accepts your application, the task is here, with the time that is left.',
    action: findATask,
  },
  review: {
    icon: PackageCheck,
    title: 'No work is under review',
    text: 'Submitted work is listed here until it is decided, with the day on which you are paid if nobody decides.',
    action: howItWorks,
  },
  disputed: {
    icon: Scale,
    title: 'No dispute',
    text: 'When you or the agent opens a dispute about your work, it is listed here until validators decide.',
    action: howItWorks,
  },
  done: {
    icon: CircleCheckBig,
    title: 'No finished tasks',
    text: 'Tasks that ended are kept here, and what they paid is under Earnings.',
    action: findATask,
  },
}

/** A part with nothing in it, and the step that changes that. */
export function Nothing({ part }: { part: WorkPart }) {
  const { icon, title, text, action } = parts[part]
  return (
    <EmptyState icon={icon} title={title} action={action}>
      {text}
    </EmptyState>
  )
}
