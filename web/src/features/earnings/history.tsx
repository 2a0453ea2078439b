import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { transactionUrl, useContracts } from '@/api/contracts'
import { paidAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { messages } from '@/messages/earnings'
import { Address } from '@/ui/address'
import { Amount } from '@/ui/amount'
import { LoadMore } from '@/ui/load-more'
import { Time } from '@/ui/time'
import { UserLine } from '@/ui/user-text'

const step = 20

/** All payments, the last first, each with its transaction. */
export function History({ paid, symbol }: { paid: Task[]; symbol: string }) {
  const contracts = useContracts()
  const [shown, setShown] = useState(step)
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="mb-4 text-xl font-semibold">
        {messages.payments}
      </h2>
      <ul className="divide-y divide-line rounded-2xl border border-line bg-surface shadow-card">
        {paid.slice(0, shown).map((task) => (
          <li
            key={task.id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4"
          >
            <div className="min-w-0 flex-1 basis-40">
              <Link
                to="/tasks/$taskId"
                params={{ taskId: task.id }}
                className="font-medium no-underline underline-offset-4 hover:underline"
              >
                <UserLine>{task.title}</UserLine>
              </Link>
              <p className="flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-ink-soft">
                <span>
                  {messages.paidBy(<Time at={paidAt(task)} show="day" />, task.agentUsername)}
                </span>
                {task.settleTxHash && (
                  <Address
                    hex={task.settleTxHash}
                    href={transactionUrl(contracts, task.settleTxHash)}
                  />
                )}
              </p>
            </div>
            <Amount
              wei={task.payoutAmount}
              symbol={symbol}
              className="text-lg font-semibold text-good"
            />
          </li>
        ))}
      </ul>
      {paid.length > step && (
        <LoadMore
          shown={Math.min(shown, paid.length)}
          total={paid.length}
          hasMore={shown < paid.length}
          busy={false}
          onMore={() => setShown(shown + step)}
        />
      )}
    </section>
  )
}
