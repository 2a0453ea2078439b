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
    title: 'No application waits',
    text: 'Apply for a task that fits you. The stake shows that you mean it, and it comes back.',
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
    text: 'What you handed in waits here until it is paid, with the day on which it is paid at the latest.',
    action: howItWorks,
  },
  disputed: {
    icon: Scale,
    title: 'No dispute',
    text: 'When an agent does not agree with your work, you answer here and validators decide.',
    action: howItWorks,
  },
  done: {
    icon: CircleCheckBig,
    title: 'Nothing is done yet',
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
