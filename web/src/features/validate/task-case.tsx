import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { disputeQuery } from '@/api/dispute'
import { type Task, taskQuery } from '@/api/task'
import { BothSides } from '@/components/both-sides'
import { ErrorBanner } from '@/components/error-banner'
import { FilesCard, FingerprintCheck, SubmissionCard } from '@/components/submission-card'
import { messages } from '@/messages/validate'
import { Skeleton } from '@/ui/skeleton'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'
import { type Entry, type Stage, stageOf, tallyOf } from './entries'
import { Vote } from './vote'

interface Props extends Entry {
  /** The validator's. */
  wallet: string
}

// The keeper hands a complete vote to the contract within a block or two.
const soon = 2_000
// Until then only time changes what has left the queue.
const seldom = 10_000
const paces: Partial<Record<Stage, number>> = { complete: soon, closed: seldom }

/** Everything there is to decide on: what was agreed beside what was handed in, and the vote. */
export function TaskCase({ wallet, ...entry }: Props) {
  const { validation, isOver } = entry
  const stage = (task: Task) => stageOf(task, tallyOf(task, entry), isOver)
  const task = useQuery({
    ...taskQuery(validation.taskId),
    refetchInterval: ({ state: { data } }) => (data ? paces[stage(data)] : undefined) ?? false,
  })
  const { refetch } = task
  // What has just left the queue was decided, or its time is over.
  useEffect(() => {
    if (isOver) void refetch()
  }, [isOver, refetch])
  if (task.isPending) return <Skeleton className="mx-5 mb-5 h-48 sm:mx-7" />
  if (!task.data) {
    return (
      <div className="px-5 pb-5 sm:px-7">
        <ErrorBanner error={task.error} retry={() => void task.refetch()} />
      </div>
    )
  }
  return (
    <div className="border-t border-line px-5 py-6 sm:px-7 sm:py-7">
      <Comparison task={task.data} />
      <div className="mt-8 border-t border-line pt-6">
        {/* Another round, or other work, is another question. */}
        <Vote
          key={`${validation.round}/${task.data.workHash}`}
          task={task.data}
          validation={validation}
          tally={tallyOf(task.data, entry)}
          stage={stage(task.data)}
          wallet={wallet}
        />
      </div>
    </div>
  )
}

function Comparison({ task }: { task: Task }) {
  return (
    <div className="grid gap-8 md:grid-cols-2 md:grid-rows-[auto_1fr]">
      <Section title={messages.case.agreed}>
        <UserText className="max-w-prose">{task.description}</UserText>
        {task.deadline && task.submittedAt && (
          <p className="mt-3 text-[0.9375rem] text-ink-soft">
            {messages.case.times(
              <Time at={task.deadline} show="both" />,
              <Time at={task.submittedAt} show="both" />,
            )}
          </p>
        )}
        <p className="mt-3">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.id }}
            className="text-accent underline underline-offset-4"
          >
            {messages.case.seePage}
          </Link>
        </p>
      </Section>
      <div className="grid min-w-0 content-start gap-6 md:row-span-2">
        <div className="grid gap-3">
          <SubmissionCard task={task} level={3} />
          <FingerprintCheck task={task} />
        </div>
        <FilesCard task={task} level={3} />
      </div>
      {task.disputedAt && <Sides taskId={task.id} />}
    </div>
  )
}

function Sides({ taskId }: { taskId: string }) {
  const dispute = useQuery(disputeQuery(taskId)).data
  if (!dispute) return null
  return (
    <Section title={messages.case.sides}>
      <BothSides dispute={dispute} level={4} />
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 md:col-start-1">
      <h3 id={id} className="mb-3 text-xl font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}
