import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import type { Task } from '@/api/task'
import { verdictsQuery } from '@/api/verdict'
import { common } from '@/messages/common'
import { Section } from '@/ui/section'
import { UserName, UserText } from '@/ui/user-text'

/** A card with the validators' verdicts and reasons; empty if the task was decided by timeout. */
export function VerdictsCard({ task }: { task: Task }) {
  const verdicts = useQuery(verdictsQuery(task.id)).data
  if (!verdicts?.length) return null
  return (
    <Section heading={common.verdicts}>
      <VerdictList task={task} />
    </Section>
  )
}

/** Each validator's verdict with its reason. */
export function VerdictList({ task }: { task: Task }) {
  const verdicts = useQuery(verdictsQuery(task.id)).data ?? []
  return (
    <ul className="grid gap-3 empty:hidden">
      {verdicts.map(({ id, validatorUsername, approved, reason }) => {
        const Icon = approved ? Check : X
        return (
          <li key={id} className="rounded-xl bg-sunken p-4">
            <p className="flex items-center gap-2 text-[0.9375rem]">
              <Icon aria-hidden className={approved ? 'size-4 text-good' : 'size-4 text-bad'} />
              <span>
                <span className="font-medium">
                  <UserName>{validatorUsername}</UserName>
                </span>{' '}
                {approved ? common.approvedWork : common.rejectedWork}
              </span>
            </p>
            <UserText className="mt-1 text-[0.9375rem] text-ink-soft">{reason}</UserText>
          </li>
        )
      })}
    </ul>
  )
}
