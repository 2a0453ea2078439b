import {
  BadgeCheck,
  Ban,
  CircleDashed,
  CircleDot,
  Gavel,
  Hammer,
  type LucideIcon,
  PackageCheck,
  Scale,
  TimerOff,
  Undo2,
} from 'lucide-react'
import type { TaskStatus } from '@/lib/facts.gen'
import { entryOf, plain } from '@/lib/known'
import { common } from '@/messages/common'
import { Badge, type Tone } from '@/ui/badge'

/** The tone and icon for each status. */
export const statusStyles: Record<TaskStatus, { tone: Tone; icon: LucideIcon }> = {
  new: { tone: 'plain', icon: CircleDashed },
  funded: { tone: 'accent', icon: CircleDot },
  active: { tone: 'wait', icon: Hammer },
  submitted: { tone: 'wait', icon: PackageCheck },
  validating: { tone: 'wait', icon: Scale },
  disputed: { tone: 'bad', icon: Gavel },
  approved: { tone: 'good', icon: BadgeCheck },
  rejected: { tone: 'bad', icon: Ban },
  cancelled: { tone: 'plain', icon: Undo2 },
  expired: { tone: 'plain', icon: TimerOff },
}

/** Whether a task has ended, so that neither acts nor time change it. */
export const hasEnded = (status: string) =>
  status === 'approved' || status === 'rejected' || status === 'cancelled'

export function TaskStatusBadge({ status }: { status: string }) {
  const style = entryOf(statusStyles, status) ?? statusStyles.new
  return <Badge {...style}>{entryOf(common.status, status)?.word ?? plain(status)}</Badge>
}
