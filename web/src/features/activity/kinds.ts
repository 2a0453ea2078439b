import {
  Coins,
  FileUser,
  Gavel,
  Gift,
  Hammer,
  type LucideIcon,
  Mail,
  MessageSquare,
  Star,
} from 'lucide-react'
import type { ActivityType } from '@/api/activity'

/** How each kind of activity looks, and what many of them are called. */
export const kinds: Record<ActivityType, { icon: LucideIcon; many: string }> = {
  task: { icon: Hammer, many: 'Tasks' },
  application: { icon: FileUser, many: 'Applications' },
  payout: { icon: Coins, many: 'Payments' },
  dispute: { icon: Gavel, many: 'Disputes' },
  review: { icon: Star, many: 'Reviews' },
  claim: { icon: Gift, many: 'Rewards' },
  message: { icon: MessageSquare, many: 'Messages of tasks' },
  dm: { icon: Mail, many: 'Direct messages' },
}
