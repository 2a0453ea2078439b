import { Check, ChevronDown, Gavel, ScanSearch, X } from 'lucide-react'
import { useId } from 'react'
import type { Validation } from '@/api/validation'
import { classNames } from '@/lib/class-names'
import { useNow } from '@/lib/now'
import { messages } from '@/messages/validate'
import { Badge } from '@/ui/badge'
import { Card } from '@/ui/card'
import { Countdown } from '@/ui/countdown'
import { UserLine } from '@/ui/user-text'
import { TaskCase } from './task-case'

interface Props {
  validation: Validation
  isOver: boolean
  /** The validator's wallet. */
  wallet: string
  isOpen: boolean
  onToggle: () => void
}

/** A task in the queue, as a row that can be expanded to show the details. */
export function QueueEntry({ validation, isOver, wallet, isOpen, onToggle }: Props) {
  const id = useId()
  const { title, round, opensAt, closesAt, mine } = validation
  const isEarly = opensAt > useNow()
  return (
    <Card aria-labelledby={id}>
      <h2 id={id}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-case`}
          onClick={onToggle}
          className="flex w-full items-start gap-3 rounded-2xl px-5 py-4 text-left hover:bg-sunken sm:px-7 sm:py-5"
        >
          <span className="grid min-w-0 flex-1 gap-2">
            <span className="text-lg font-semibold sm:text-xl">
              <UserLine>{title}</UserLine>
            </span>
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-[0.9375rem] font-normal text-ink-soft">
              <Badge tone={round === 1 ? 'bad' : 'wait'} icon={round === 1 ? Gavel : ScanSearch}>
                {messages.round(round)}
              </Badge>
              {mine && (
                <Badge tone={mine.approved ? 'good' : 'bad'} icon={mine.approved ? Check : X}>
                  {mine.approved ? messages.youVoted.pay : messages.youVoted.reject}
                </Badge>
              )}
              {isOver && messages.voteOver}
              {!isOver && isEarly && (
                <span className="inline-flex flex-wrap items-center gap-x-1.5">
                  <span>{messages.opensIn}</span>
                  <Countdown at={opensAt} over={messages.opensNow} />
                </span>
              )}
              {!isOver && !isEarly && <Countdown at={closesAt} over={messages.endsNow} />}
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              'mt-1 size-5 shrink-0 text-ink-soft transition-transform',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h2>
      <div id={`${id}-case`} hidden={!isOpen}>
        {isOpen && <TaskCase validation={validation} isOver={isOver} wallet={wallet} />}
      </div>
    </Card>
  )
}
