import { Link } from '@tanstack/react-router'
import { CircleCheckBig, Hammer, type LucideIcon, PackageCheck, Scale, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorkPart } from '@/lib/work-params'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'

const findATask = (
  <Link to="/tasks" className={buttonClass()}>
    {common.findTask}
  </Link>
)

const howItWorks = (
  <Link to="/help" className={buttonClass('secondary')}>
    {common.howItWorks}
  </Link>
)

const parts: Record<
  WorkPart,
  { icon: LucideIcon; title: string; text: string; action: ReactNode }
> = {
  applied: {
    icon: Send,
    title: messages.empty.applied.title,
    text: messages.empty.applied.text,
    action: findATask,
  },
  active: {
    icon: Hammer,
    title: messages.empty.active.title,
    text: messages.empty.active.text,
    action: findATask,
  },
  review: {
    icon: PackageCheck,
    title: messages.empty.review.title,
    text: messages.empty.review.text,
    action: howItWorks,
  },
  disputed: {
    icon: Scale,
    title: messages.empty.disputed.title,
    text: messages.empty.disputed.text,
    action: howItWorks,
  },
  done: {
    icon: CircleCheckBig,
    title: messages.empty.done.title,
    text: messages.empty.done.text,
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
