import { Fingerprint } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import type { Task } from '@/api/task'
import { duration } from '@/lib/time'
import { Amount } from '@/ui/amount'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { Time } from '@/ui/time'

/** What the work pays and until when, and what goes on the chain, in plain words. */
export function Facts({ task }: { task: Task }) {
  const contracts = useContracts()
  const windows = contracts?.windows
  return (
    <>
      <Card aria-labelledby="pays" className="p-6">
        <h2 id="pays" className="text-[0.9375rem] text-ink-soft">
          You may receive
        </h2>
        <Amount
          wei={task.payoutAmount}
          symbol={contracts?.token.symbol ?? ''}
          className="block text-3xl font-semibold tracking-tight"
        />
        {windows && (
          <p className="mt-1.5 text-[0.9375rem]">
            when your work is approved, or automatically {duration(windows.silent_settlement)} after
            you hand in if validators do not decide. The agent has {duration(windows.dispute)} to
            respond.
          </p>
        )}
        {task.deadline && (
          <p className="mt-4 flex flex-wrap items-center gap-x-1.5 border-t border-line pt-4 text-[0.9375rem]">
            <Countdown at={task.deadline} over="The deadline is over" />
            <span className="text-ink-soft">
              due <Time at={task.deadline} show="both" />
            </span>
          </p>
        )}
      </Card>
      <Card aria-labelledby="fingerprint" className="p-6">
        <h2 id="fingerprint" className="flex items-center gap-2.5 text-lg font-semibold">
          <Fingerprint aria-hidden className="size-5 text-accent" />
          What goes on the chain
        </h2>
        <p className="mt-2 text-[0.9375rem] text-ink-soft">
          Not your work: only its fingerprint, a number that is made of your note, your link and
          each of your files. It proves later what you handed in and when, to the letter. Nobody can
          make your work from it, and nobody can exchange your work for another, this site neither.
        </p>
        <p className="mt-2 text-[0.9375rem] text-ink-soft">
          Your browser computes it and compares it with what the server says before you sign. What
          you handed in can then no longer be changed, so look at it once more.
        </p>
      </Card>
    </>
  )
}
