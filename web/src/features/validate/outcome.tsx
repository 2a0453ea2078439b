import { Check, X } from 'lucide-react'
import { transactionUrl, useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { MoneyNow } from '@/components/money-now'
import { TokenAmount } from '@/components/token-amount'
import { VerdictList } from '@/components/verdicts'
import { common } from '@/messages/common'
import { messages } from '@/messages/validate'
import { Address } from '@/ui/address'
import { Section } from '@/ui/section'
import { Time } from '@/ui/time'

/** How a task ended: the decision, the payment and the verdicts. */
export function Outcome({ task }: { task: Task }) {
  const contracts = useContracts()
  const isPaid = task.status === 'approved'
  const Icon = isPaid ? Check : X
  const { paid, refunded, paidText, refundedText } = messages.outcome
  return (
    <Section
      heading={
        <>
          <Icon aria-hidden className={isPaid ? 'size-5 text-good' : 'size-5 text-bad'} />
          {isPaid ? paid : refunded}
        </>
      }
      level={3}
      headingClass="flex items-center gap-2.5 text-xl font-semibold"
    >
      <p role="status" className="mt-2 mb-5">
        {isPaid
          ? paidText(<TokenAmount wei={task.payoutAmount} />)
          : refundedText(
              <TokenAmount wei={task.escrowAmount} />,
              <TokenAmount wei={task.stakeAmount} />,
            )}{' '}
        {task.settledAt && <Time at={task.settledAt} show="both" happened />}
      </p>
      {task.settleTxHash && (
        <p className="mb-5 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          {common.transaction}
          <Address hex={task.settleTxHash} href={transactionUrl(contracts, task.settleTxHash)} />
        </p>
      )}
      <div className="grid items-start gap-6 md:grid-cols-2">
        <MoneyNow task={task} level={4} />
        <VerdictList task={task} />
      </div>
    </Section>
  )
}
