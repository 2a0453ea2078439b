import { Check, X } from 'lucide-react'
import { useId } from 'react'
import { transactionUrl, useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { MoneyNow } from '@/components/money-now'
import { VerdictList } from '@/components/verdicts'
import { common } from '@/messages/common'
import { messages } from '@/messages/validate'
import { Address } from '@/ui/address'
import { Amount } from '@/ui/amount'
import { Time } from '@/ui/time'

/** How a task ended, where its money went, and why. */
export function Outcome({ task }: { task: Task }) {
  const id = useId()
  const contracts = useContracts()
  const symbol = contracts?.token.symbol ?? ''
  const isPaid = task.status === 'approved'
  const Icon = isPaid ? Check : X
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="flex items-center gap-2.5 text-xl font-semibold">
        <Icon aria-hidden className={isPaid ? 'size-5 text-good' : 'size-5 text-bad'} />
        {isPaid ? messages.outcome.paid : messages.outcome.refunded}
      </h3>
      <p role="status" className="mt-2 mb-5">
        {isPaid
          ? messages.outcome.paidText(<Amount wei={task.payoutAmount} symbol={symbol} />)
          : messages.outcome.refundedText(
              <Amount wei={task.escrowAmount} symbol={symbol} />,
              <Amount wei={task.stakeAmount} symbol={symbol} />,
            )}{' '}
        {task.settledAt && <Time at={task.settledAt} show="both" />}
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
    </section>
  )
}
