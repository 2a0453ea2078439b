import { Bot, LockKeyhole, UserRound } from 'lucide-react'
import type { Task } from '@/api/task'
import type { TaskStatus } from '@/lib/facts.gen'
import { entryOf } from '@/lib/known'
import { moneyTexts } from '@/messages/money'
import { Card } from '@/ui/card'
import { Station } from '@/ui/station'
import { UserName } from '@/ui/user-text'
import { TokenAmount } from './token-amount'

type Place = 'agent' | 'escrow' | 'human'

// Where a task's payment is in each status. In statuses that are not listed, it is in escrow.
const places: Partial<Record<TaskStatus, Place>> = {
  new: 'agent',
  rejected: 'agent',
  cancelled: 'agent',
  approved: 'human',
}

interface Props {
  task: Task
  level?: 2 | 4
  /** Whether the task is assigned to the signed-in human. */
  mine?: boolean
}

/** Shows whether a task's payment is with the agent, in escrow or with the human. */
export function MoneyNow({ task, level = 2, mine = false }: Props) {
  const { status, agentApprovedAt, feePercent } = task
  const agentText = entryOf(moneyTexts.agent, status)
  if (agentText === undefined) return null // a status of a later version: the place is unknown
  const place = entryOf(places, status) ?? 'escrow'
  const at = (where: Place, wei: bigint) => ({
    lit: place === where,
    children: place === where && (
      <TokenAmount wei={wei} className="text-lg font-semibold text-accent" />
    ),
  })
  return (
    <Card
      heading={moneyTexts.title}
      level={level}
      headingClass="mb-5 text-lg font-semibold"
      className="p-6"
    >
      <ol>
        <Station
          icon={Bot}
          title={moneyTexts.theAgent}
          text={agentApprovedAt && status !== 'approved' ? moneyTexts.approvedWork : agentText}
          {...at('agent', task.escrowAmount)}
        />
        <Station
          icon={LockKeyhole}
          title={moneyTexts.theEscrow}
          text={entryOf(moneyTexts.escrow, status) ?? moneyTexts.noLongerHeld}
          {...at('escrow', task.escrowAmount)}
        />
        <Station
          icon={UserRound}
          title={
            mine ? (
              moneyTexts.you
            ) : task.humanUsername ? (
              <UserName>{task.humanUsername}</UserName>
            ) : (
              moneyTexts.theHuman
            )
          }
          text={moneyTexts.human(status, feePercent, mine)}
          {...at('human', task.payoutAmount)}
          last
        />
      </ol>
    </Card>
  )
}
