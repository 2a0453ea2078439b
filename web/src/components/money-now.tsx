import { Bot, LockKeyhole, UserRound } from 'lucide-react'
import { createElement } from 'react'
import { useContracts } from '@/api/contracts'
import type { Task, TaskStatus } from '@/api/task'
import { common } from '@/messages/common'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { Station } from '@/ui/station'

type Place = 'agent' | 'escrow' | 'human'

/** Where a task's payment is in each of its states. */
export function placeOf(status: TaskStatus): Place {
  switch (status) {
    case 'new':
    case 'rejected':
    case 'cancelled':
      return 'agent'
    case 'approved':
      return 'human'
    default:
      return 'escrow'
  }
}

/** Where the money is now, on its way from the agent to the human. */
export function MoneyNow({ task, level = 2 }: { task: Task; level?: 2 | 4 }) {
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? ''
  const place = placeOf(task.status)
  return (
    <Card aria-labelledby="money-now" className="p-6">
      {createElement(
        `h${level}`,
        { id: 'money-now', className: 'mb-5 text-lg font-semibold' },
        common.moneyNow.title,
      )}
      <ol>
        <Station
          icon={Bot}
          title={common.moneyNow.agent}
          text={agentText(task)}
          lit={place === 'agent'}
        >
          {place === 'agent' && <Here wei={task.escrowAmount} symbol={symbol} />}
        </Station>
        <Station
          icon={LockKeyhole}
          title={common.moneyNow.escrow}
          text={escrowText(task)}
          lit={place === 'escrow'}
        >
          {place === 'escrow' && <Here wei={task.escrowAmount} symbol={symbol} />}
        </Station>
        <Station
          icon={UserRound}
          title={task.humanUsername ?? common.moneyNow.human}
          text={humanText(task)}
          lit={place === 'human'}
          last
        >
          {place === 'human' && <Here wei={task.payoutAmount} symbol={symbol} />}
        </Station>
      </ol>
    </Card>
  )
}

function Here({ wei, symbol }: { wei: bigint; symbol: string }) {
  return <Amount wei={wei} symbol={symbol} className="text-lg font-semibold text-accent" />
}

function agentText({ status, agentApprovedAt }: Task): string {
  if (agentApprovedAt && status !== 'approved') return common.moneyNow.agentText.approvedWork
  switch (status) {
    case 'new':
      return common.moneyNow.agentText.new
    case 'rejected':
      return common.moneyNow.agentText.rejected
    case 'cancelled':
      return common.moneyNow.agentText.cancelled
    case 'approved':
      return common.moneyNow.agentText.approved
    case 'funded':
    case 'active':
    case 'expired':
      return common.moneyNow.agentText.cancellable
    default:
      return common.moneyNow.agentText.final
  }
}

function escrowText({ status }: Task): string {
  switch (status) {
    case 'funded':
      return common.moneyNow.escrowText.funded
    case 'active':
      return common.moneyNow.escrowText.active
    case 'expired':
      return common.moneyNow.escrowText.expired
    case 'submitted':
      return common.moneyNow.escrowText.submitted
    case 'validating':
    case 'disputed':
      return common.moneyNow.escrowText.voting
    default:
      return common.moneyNow.escrowText.empty
  }
}

function humanText({ status, feePercent }: Task): string {
  switch (status) {
    case 'approved':
      return common.moneyNow.humanText.paid(feePercent)
    case 'rejected':
    case 'cancelled':
      return common.moneyNow.humanText.unpaid
    default:
      return common.moneyNow.humanText.open(feePercent)
  }
}
