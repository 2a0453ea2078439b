import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { answererOf, disputeQuery } from '@/api/dispute'
import { type Task, taskQuery } from '@/api/task'
import { BothSides } from '@/components/both-sides'
import { Loading } from '@/components/loading'
import { FilesCard, FingerprintCheck, SubmissionCard } from '@/components/submission-card'
import { useNow } from '@/lib/now'
import { messages } from '@/messages/validate'
import { Section } from '@/ui/section'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'
import { type Entry, type Stage, stageOf, tallyOf } from './entries'
import { Vote } from './vote'

interface Props extends Entry {
  /** The validator's wallet. */
  wallet: string
}

// Polling intervals in ms. The keeper submits a complete vote to the contract within a block or
// two. A closed vote changes only by passage of time.
const intervals: Partial<Record<Stage, number>> = { complete: 2_000, closed: 10_000 }

/** A task to be decided: its description next to the submitted work, and the vote. */
export function TaskCase({ wallet, ...entry }: Props) {
  const { validation, isOver } = entry
  const stage = (task: Task) => stageOf(task, tallyOf(task, entry), isOver)
  const task = useQuery({
    ...taskQuery(validation.taskId),
    refetchInterval: ({ state: { data } }) => (data ? intervals[stage(data)] : undefined) ?? false,
  })
  const { refetch } = task
  // When a task leaves the queue, it was decided or its window has closed, so it is refetched.
  useEffect(() => {
    if (isOver) void refetch()
  }, [isOver, refetch])
  if (!task.data) {
    return (
      <div className="px-5 pb-5 sm:px-7">
        <Loading query={task} items={1} className="h-[75dvh]" />
      </div>
    )
  }
  return (
    <div className="border-t border-line px-5 py-6 sm:px-7 sm:py-7">
      <Comparison task={task.data} />
      <div className="mt-8 border-t border-line pt-6">
        {/* A new round or new work needs a new form. */}
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

const columnClass = 'min-w-0 md:col-start-1'

function Comparison({ task }: { task: Task }) {
  return (
    <div className="grid gap-8 md:grid-cols-2 md:grid-rows-[auto_1fr]">
      <Section heading={messages.case.agreed} level={3} className={columnClass}>
        <UserText className="max-w-prose">{task.description}</UserText>
        {task.deadline && task.submittedAt && (
          <p className="mt-3 text-[0.9375rem] text-ink-soft">
            {messages.case.times(
              <Time at={task.deadline} show="both" />,
              <Time at={task.submittedAt} show="both" happened />,
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
  const now = useNow()
  if (!dispute) return null
  const answerer = answererOf(dispute, now)
  return (
    <Section heading={messages.case.sides} level={3} className={columnClass}>
      <BothSides dispute={dispute} level={4}>
        <p className="text-[0.9375rem] text-ink-soft">
          {answerer
            ? messages.case.noAnswerYet(answerer, <Time at={dispute.deadline} show="both" />)
            : messages.case.noAnswer(dispute.filedBy === 'agent' ? 'human' : 'agent')}
        </p>
      </BothSides>
    </Section>
  )
}
