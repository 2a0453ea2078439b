import { Fingerprint } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { TokenAmount } from '@/components/token-amount'
import { duration } from '@/lib/time'
import { common } from '@/messages/common'
import { messages } from '@/messages/submit'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { Time } from '@/ui/time'

/** The payment, the deadline, and which data is stored on the chain. */
export function Facts({ task }: { task: Task }) {
  const windows = useContracts()?.windows
  return (
    <>
      <Card
        heading={common.youMayReceive}
        headingClass="text-[0.9375rem] text-ink-soft"
        className="p-6"
      >
        <TokenAmount
          wei={task.payoutAmount}
          className="block text-3xl font-semibold tracking-tight"
        />
        {windows && (
          <p className="mt-1.5 text-[0.9375rem]">
            {messages.facts.when(duration(windows.silent_settlement), duration(windows.dispute))}
          </p>
        )}
        {task.deadline && (
          <p className="mt-4 flex flex-wrap items-center gap-x-1.5 border-t border-line pt-4 text-[0.9375rem]">
            <Countdown at={task.deadline} over={messages.facts.deadlineOver} />
            <span className="text-ink-soft">
              {common.due(<Time at={task.deadline} show="both" />)}
            </span>
          </p>
        )}
      </Card>
      <Card
        heading={
          <>
            <Fingerprint aria-hidden className="size-5 text-accent" />
            {messages.facts.title}
          </>
        }
        headingClass="flex items-center gap-2.5 text-lg font-semibold"
        className="p-6"
      >
        <p className="mt-2 text-[0.9375rem] text-ink-soft">{messages.facts.fingerprint}</p>
        <p className="mt-2 text-[0.9375rem] text-ink-soft">{messages.facts.check}</p>
      </Card>
    </>
  )
}
