import type { UseMutationResult } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { ApiError } from '@/api/error'
import type { Outgoing } from '@/api/message'
import { classNames } from '@/lib/class-names'
import { limits } from '@/lib/facts.gen'
import { useSecondsUntil } from '@/lib/use-seconds-until'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { inputClass } from '@/ui/field'
import { UserName } from '@/ui/user-text'
import { ErrorBanner } from './error-banner'

// The counter is shown when fewer characters than this remain.
const roomShown = 500

interface Props<T> {
  sending: UseMutationResult<T, Error, Outgoing>
  /** The name of the other party. */
  other: string
  /** The id of the newest message in the list. */
  after?: string | undefined
  onSent?: (result: T) => void
}

/**
 * A form for writing a message. A message that could not be sent returns to the form, unless the user has
 * typed another one.
 */
export function Composer<T>({ sending, other, after, onSent }: Props<T>) {
  const id = useId()
  const [text, setText] = useState('')
  const key = useRef<Outgoing>(undefined)
  const wait = useWait(sending.error, sending.submittedAt)
  const room = limits.maxMessage - [...text].length
  const ready = text.trim() !== '' && room >= 0 && wait === 0

  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!ready || sending.isPending) return
    if (key.current?.content !== text)
      key.current = { content: text, key: crypto.randomUUID(), after }
    setText('')
    sending.mutate(key.current, {
      onSuccess: (result) => {
        key.current = undefined
        onSent?.(result)
      },
      onError: () => setText((typed) => typed || text),
    })
  }

  return (
    <form onSubmit={send} className="grid gap-2">
      <label htmlFor={id} className="sr-only">
        {common.writeTo(<UserName>{other}</UserName>)}
      </label>
      <div className="flex items-end gap-2">
        <textarea
          id={id}
          value={text}
          dir="auto"
          rows={2}
          placeholder={common.message}
          aria-describedby={`${id}-hint`}
          aria-invalid={room < 0}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
          }}
          className={classNames(
            inputClass,
            'field-sizing-content max-h-60 min-h-16 min-w-0 flex-1 resize-none py-2.5 leading-snug',
          )}
        />
        <Button
          type="submit"
          aria-label={common.send}
          className="shrink-0 px-3.5!"
          busy={sending.isPending}
          disabled={!ready && !sending.isPending}
        >
          {!sending.isPending && <SendHorizontal aria-hidden className="size-5" />}
        </Button>
      </div>
      <div
        id={`${id}-hint`}
        className="flex flex-wrap justify-between gap-x-4 text-[0.8125rem] text-ink-soft"
      >
        <span className="max-sm:hidden">{common.hintWide}</span>
        <span className="sm:hidden">{common.hint}</span>
        {room < roomShown && (
          <span className={classNames('figures', room < 0 && 'font-medium text-bad')}>
            {common.roomLeft(room)}
          </span>
        )}
      </div>
      <SendError error={sending.error} wait={wait} />
    </form>
  )
}

/** Returns the seconds until the rate limit allows another message. */
function useWait(error: Error | null, submittedAt: number): number {
  const delay = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 10) : 0
  return useSecondsUntil(delay && submittedAt + delay * 1_000)
}

function SendError({ error, wait }: { error: Error | null; wait: number }) {
  const isRateLimited = error instanceof ApiError && error.status === 429
  return (
    <div aria-live="polite">
      {isRateLimited && (
        <p className="rounded-xl bg-wait-wash px-4 py-2.5 text-[0.9375rem]">
          {common.waitToSend(wait)}
        </p>
      )}
      {error && !isRateLimited && <ErrorBanner error={error} />}
    </div>
  )
}
