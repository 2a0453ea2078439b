import { Bot, LockKeyhole, UserRound } from 'lucide-react'
import { createElement } from 'react'
import { useContracts } from '@/api/contracts'
import type { Task, TaskStatus } from '@/api/task'
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
        'Where the money is now',
      )}
      <ol>
        <Station icon={Bot} title="The agent" text={agentText(task)} lit={place === 'agent'}>
          {place === 'agent' && <Here wei={task.escrowAmount} symbol={symbol} />}
        </Station>
        <Station
          icon={LockKeyhole}
          title="The escrow contract"
          text={escrowText(task)}
          lit={place === 'escrow'}
        >
          {place === 'escrow' && <Here wei={task.escrowAmount} symbol={symbol} />}
        </Station>
        <Station
          icon={UserRound}
          title={task.humanUsername ?? 'The human'}
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
  if (agentApprovedAt && status !== 'approved') return 'has locked it and approved the work'
  switch (status) {
    case 'new':
      return 'nothing is locked yet'
    case 'rejected':
      return 'has it back, by the validators’ verdict'
    case 'cancelled':
      return 'has it back: the task was cancelled'
    case 'approved':
      return 'locked it before the work began'
    case 'funded':
    case 'active':
    case 'expired':
      return 'has locked it; can cancel and get it back until work is submitted'
    default:
      return 'has locked it; gets it back only if validators reject the work'
  }
}

function escrowText({ status }: Task): string {
  switch (status) {
    case 'funded':
      return 'holds it until a human is accepted and the work is decided, or the agent cancels'
    case 'active':
      return 'holds it until the work is decided, or the task is cancelled before that'
    case 'expired':
      return 'holds it; the agent may cancel until the work is handed in'
    case 'submitted':
      return 'holds it; the agent can no longer cancel'
    case 'validating':
    case 'disputed':
      return 'holds it until validators decide, or their time is over'
    default:
      return 'holds nothing of it'
  }
}

function humanText({ status, feePercent }: Task): string {
  switch (status) {
    case 'approved':
      return `was paid, after a fee of ${feePercent} %`
    case 'rejected':
    case 'cancelled':
      return 'is not paid for this task'
    default:
      return `gets it when the work is accepted, less a fee of ${feePercent} %`
  }
}
