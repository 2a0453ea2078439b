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
import { messages } from '@/messages/activity'

/** How each kind of activity looks, and what many of them are called. */
export const kinds: Record<ActivityType, { icon: LucideIcon; many: string }> = {
  task: { icon: Hammer, many: messages.kind.task },
  application: { icon: FileUser, many: messages.kind.application },
  payout: { icon: Coins, many: messages.kind.payout },
  dispute: { icon: Gavel, many: messages.kind.dispute },
  review: { icon: Star, many: messages.kind.review },
  claim: { icon: Gift, many: messages.kind.claim },
  message: { icon: MessageSquare, many: messages.kind.message },
  dm: { icon: Mail, many: messages.kind.dm },
}
