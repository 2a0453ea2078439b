import { Link } from '@tanstack/react-router'
import { transactionUrl, useContracts } from '@/api/contracts'
import { settledAt } from '@/api/earnings'
import type { Task } from '@/api/task'
import { TokenAmount } from '@/components/token-amount'
import { usePartialList } from '@/lib/use-partial-list'
import { messages } from '@/messages/earnings'
import { Address } from '@/ui/address'
import { LoadMore } from '@/ui/load-more'
import { PersonName } from '@/ui/person-name'
import { Section } from '@/ui/section'
import { Time } from '@/ui/time'
import { UserLine } from '@/ui/user-text'

const step = 20

/** All payments, most recent first, each with its transaction. */
export function History({ paid }: { paid: Task[] }) {
  const contracts = useContracts()
  const list = usePartialList(paid, step)
  return (
    <Section heading={messages.payments}>
      <ul className="divide-y divide-line rounded-2xl border border-line bg-surface shadow-card">
        {list.data.items.map((task) => (
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
                  {messages.paidBy(
                    <Time at={settledAt(task)} show="day" />,
                    <PersonName name={task.agentName} username={task.agentUsername} />,
                  )}
                </span>
                {task.settleTxHash && (
                  <Address
                    hex={task.settleTxHash}
                    href={transactionUrl(contracts, task.settleTxHash)}
                  />
                )}
              </p>
            </div>
            <TokenAmount
              wei={task.payoutAmount}
              signed
              className="text-lg font-semibold text-good"
            />
          </li>
        ))}
      </ul>
      <LoadMore query={list} />
    </Section>
  )
}
