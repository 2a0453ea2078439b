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
import type { TaskStatus } from '@/api/task'
import { common } from '@/messages/common'
import { Badge, type Tone } from '@/ui/badge'

/** How each status looks, and what it means. */
export const statuses: Record<
  TaskStatus,
  { word: string; tone: Tone; icon: LucideIcon; means: string }
> = {
  new: {
    word: common.status.new.word,
    tone: 'plain',
    icon: CircleDashed,
    means: common.status.new.means,
  },
  funded: {
    word: common.status.funded.word,
    tone: 'accent',
    icon: CircleDot,
    means: common.status.funded.means,
  },
  active: {
    word: common.status.active.word,
    tone: 'wait',
    icon: Hammer,
    means: common.status.active.means,
  },
  submitted: {
    word: common.status.submitted.word,
    tone: 'wait',
    icon: PackageCheck,
    means: common.status.submitted.means,
  },
  validating: {
    word: common.status.validating.word,
    tone: 'wait',
    icon: Scale,
    means: common.status.validating.means,
  },
  disputed: {
    word: common.status.disputed.word,
    tone: 'bad',
    icon: Gavel,
    means: common.status.disputed.means,
  },
  approved: {
    word: common.status.approved.word,
    tone: 'good',
    icon: BadgeCheck,
    means: common.status.approved.means,
  },
  rejected: {
    word: common.status.rejected.word,
    tone: 'bad',
    icon: Ban,
    means: common.status.rejected.means,
  },
  cancelled: {
    word: common.status.cancelled.word,
    tone: 'plain',
    icon: Undo2,
    means: common.status.cancelled.means,
  },
  expired: {
    word: common.status.expired.word,
    tone: 'plain',
    icon: TimerOff,
    means: common.status.expired.means,
  },
}

export function TaskStatusBadge({ status }: { status: TaskStatus }) {
  const { word, tone, icon } = statuses[status]
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  )
}
