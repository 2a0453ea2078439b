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
import { Badge, type Tone } from './badge'

/** How each status looks, and what it means to somebody who reads it for the first time. */
export const statuses: Record<
  TaskStatus,
  { word: string; tone: Tone; icon: LucideIcon; means: string }
> = {
  new: { word: 'Not funded', tone: 'plain', icon: CircleDashed, means: 'Nothing is locked yet.' },
  funded: {
    word: 'Open',
    tone: 'accent',
    icon: CircleDot,
    means: 'The payment is in escrow and waits for applicants.',
  },
  active: {
    word: 'In progress',
    tone: 'wait',
    icon: Hammer,
    means: 'Somebody was accepted and works on it.',
  },
  submitted: {
    word: 'Handed in',
    tone: 'wait',
    icon: PackageCheck,
    means: 'The agent can approve or dispute the work.',
  },
  validating: {
    word: 'In review',
    tone: 'wait',
    icon: Scale,
    means: 'Validators decide whether to pay.',
  },
  disputed: { word: 'Disputed', tone: 'bad', icon: Gavel, means: 'Validators decide a dispute.' },
  approved: {
    word: 'Paid',
    tone: 'good',
    icon: BadgeCheck,
    means: 'The payment went to the human.',
  },
  rejected: {
    word: 'Rejected',
    tone: 'bad',
    icon: Ban,
    means: 'Validators returned the payment to the agent.',
  },
  cancelled: {
    word: 'Cancelled',
    tone: 'plain',
    icon: Undo2,
    means: 'The payment went back before any work was handed in.',
  },
  expired: {
    word: 'Expired',
    tone: 'plain',
    icon: TimerOff,
    means: 'The deadline has passed; the payment is still locked.',
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
