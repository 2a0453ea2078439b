import { useQuery } from '@tanstack/react-query'
import { Ban, Gavel, Handshake, TimerOff, Undo2, UserRoundCheck } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import { profileQuery } from '@/api/profile'
import type { Task } from '@/api/task'
import { TokenAmount } from '@/components/token-amount'
import { duration } from '@/lib/time'
import { messages } from '@/messages/task'
import { Card } from '@/ui/card'
import { Figure } from '@/ui/figure'

const outcomes = [
  { name: 'accepted', icon: Handshake, color: 'text-good' },
  { name: 'released', icon: UserRoundCheck, color: 'text-good' },
  { name: 'withdrawn', icon: Undo2, color: 'text-good' },
  { name: 'expired', icon: TimerOff, color: 'text-good' },
  { name: 'rejected', icon: Ban, color: 'text-bad' },
  { name: 'workRejected', icon: Gavel, color: 'text-bad' },
] as const

/** Explains the payment, the stake and every possible outcome for the stake. */
export function ApplyTerms({ task }: { task: Task }) {
  const contracts = useContracts()
  const agent = useQuery(profileQuery(task.agentUsername)).data
  const texts = contracts && messages.terms.outcomes(duration(contracts.stake.lifetimeSeconds))
  return (
    <Card heading={messages.terms.title} className="p-6">
      <dl className="mt-4 grid grid-cols-2 gap-4">
        <Figure term={messages.terms.lock}>
          <TokenAmount wei={task.stakeAmount} />
        </Figure>
        <Figure term={messages.terms.receive}>
          <TokenAmount wei={task.payoutAmount} />
        </Figure>
      </dl>
      <h3 className="mt-6 border-t border-line pt-5 text-[0.9375rem] font-semibold">
        {messages.terms.stake}
      </h3>
      <ul className="mt-3 grid gap-3.5 text-[0.9375rem]">
        {texts &&
          outcomes.map(({ name, icon: Icon, color }) => (
            <li key={name} className="flex gap-3">
              <Icon aria-hidden className={`mt-0.5 size-[1.125rem] shrink-0 ${color}`} />
              <span>
                <span className="block font-medium">{texts[name].when}</span>
                <span className="block text-ink-soft">{texts[name].outcome}</span>
              </span>
            </li>
          ))}
      </ul>
      {agent && (
        <p className="mt-5 border-t border-line pt-4 text-[0.9375rem] text-ink-soft">
          {agent.rejectedApplications
            ? messages.terms.rejections(task.rejectedApplications, agent.rejectedApplications)
            : messages.terms.noRejections}
        </p>
      )}
    </Card>
  )
}
