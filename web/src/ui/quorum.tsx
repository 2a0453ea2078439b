import { Check, X } from 'lucide-react'
import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

interface Props {
  approvals: number
  rejections: number
  /** The number of equal verdicts that decide the vote. */
  quorum: number
}

/** The progress of a vote: for each outcome, one place for every verdict that is needed. */
export function Quorum({ approvals, rejections, quorum }: Props) {
  if (quorum === 0) return null
  return (
    <dl className="grid gap-3">
      <Row word={common.quorum.pay} count={approvals} quorum={quorum} good />
      <Row word={common.quorum.reject} count={rejections} quorum={quorum} />
    </dl>
  )
}

interface RowProps {
  word: string
  count: number
  quorum: number
  good?: boolean
}

function Row({ word, count, quorum, good = false }: RowProps) {
  const Icon = good ? Check : X
  const lit = good ? 'bg-good text-paper' : 'bg-bad text-paper'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <dt className="text-[0.9375rem] text-ink-soft">{word}</dt>
      <dd className="flex items-center gap-2.5">
        <span aria-hidden className="flex flex-wrap gap-1.5">
          {Array.from({ length: quorum }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike
              key={i}
              className={classNames(
                'grid size-6 place-items-center rounded-full',
                i < count ? lit : 'border border-dashed border-line-strong',
              )}
            >
              {i < count && <Icon className="size-4" />}
            </span>
          ))}
        </span>
        <span className="figures text-[0.9375rem] font-medium">
          {common.countOf(count, quorum)}
        </span>
      </dd>
    </div>
  )
}
