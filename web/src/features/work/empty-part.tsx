import { CircleCheckBig, Hammer, type LucideIcon, PackageCheck, Scale, Send } from 'lucide-react'
import type { WorkPart } from '@/lib/work-params'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { ButtonLink } from '@/ui/button-link'
import { EmptyState } from '@/ui/empty-state'

const icons: Record<WorkPart, LucideIcon> = {
  applied: Send,
  active: Hammer,
  review: PackageCheck,
  disputed: Scale,
  done: CircleCheckBig,
}

const findTask = <ButtonLink to="/tasks">{common.findTask}</ButtonLink>
const howItWorks = (
  <ButtonLink to="/help" variant="secondary">
    {common.howItWorks}
  </ButtonLink>
)

/** The empty state of a section, with a link to the next step. */
export function EmptyPart({ part }: { part: WorkPart }) {
  const { title, text } = messages.empty[part]
  const action = part === 'review' || part === 'disputed' ? howItWorks : findTask
  return (
    <EmptyState icon={icons[part]} title={title} action={action}>
      {text}
    </EmptyState>
  )
}
