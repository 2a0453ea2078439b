import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { taskNextQuery } from '@/api/task-next'
import { TokenAmount } from '@/components/token-amount'
import { duration } from '@/lib/time'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'
import { Term } from '@/ui/term'
import { Time } from '@/ui/time'
import { paymentOf, payoutIs } from './payment'

/**
 * Shows how much is paid, when, and what can be lost. `mine`: the task is assigned to the signed-in
 * human.
 */
export function MoneyCard({ task, mine }: { task: Task; mine: boolean }) {
  const { money } = messages
  const when = useWhen(task, mine)
  return (
    <Card
      heading={payoutIs(task, mine)}
      headingClass="text-[0.9375rem] text-ink-soft"
      className="p-6"
    >
      <TokenAmount
        wei={task.payoutAmount}
        className="block text-4xl font-semibold tracking-tight"
      />
      <p className="mt-1.5 text-[0.9375rem]">{when}</p>
      <dl className="mt-5 grid gap-2.5 border-t border-line pt-5 text-[0.9375rem]">
        <Term term={task.settledAt || task.cancelledAt ? money.wasInEscrow : money.inEscrow}>
          <TokenAmount wei={task.escrowAmount} />
        </Term>
        <Term term={money.fee(task.feePercent)}>
          <TokenAmount wei={task.escrowAmount - task.payoutAmount} />
        </Term>
        <Term term={mine || task.status === 'funded' ? money.yourStake : money.theirStake}>
          <TokenAmount wei={task.stakeAmount} />
        </Term>
      </dl>
      {task.status === 'funded' && !task.hasApplied && (
        <p className="mt-4 text-sm text-ink-soft">{money.stakeRules}</p>
      )}
    </Card>
  )
}

/** Explains when the human is paid, and what the human loses otherwise. */
function useWhen(task: Task, mine: boolean): ReactNode {
  const next = useQuery(taskNextQuery(task.id))
  const windows = useContracts()?.windows
  if (!windows) return null
  const payment = paymentOf(task, next.data?.withoutAction.changes ?? [], windows)
  const stake = <TokenAmount wei={task.stakeAmount} />

  switch (payment.kind) {
    case 'open':
      return messages.money.open(duration(payment.seconds))
    case 'undecided':
      return messages.money.undecided(<Time at={payment.at} show="both" />, mine, stake)
    case 'sure':
      return messages.money.certain(<Time at={payment.at} show="both" />)
    case 'over':
      if (payment.at) return messages.money.paid(<Time at={payment.at} show="both" happened />)
      if (task.status !== 'rejected') return messages.money.nothing
      return messages.money.rejected(mine, stake)
  }
}
