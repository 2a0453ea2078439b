import { type ComponentProps, useEffect, useReducer, useRef } from 'react'
import { show } from '@/lib/show'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/**
 * A form whose submission is handled by the page instead of the browser. The outcome scrolls into
 * view and takes the focus, also if the server returns it later: the first invalid field, an error, or
 * a text that is marked as the form's result.
 */
export function Form({ onSubmit, ...rest }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const isSubmitted = useRef(false)
  // A submission that changes nothing on the page has the same outcome as the one before.
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const outcome = form.current?.querySelector<HTMLElement>(outcomes)
    if (!isSubmitted.current || !outcome) return
    isSubmitted.current = false
    show(outcome, outcome.closest('[data-field]') ?? outcome)
  })
  return (
    <form
      {...rest}
      ref={form}
      onInput={() => {
        isSubmitted.current = false
      }}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        // By then, the errors of an earlier submission have been removed.
        setTimeout(() => {
          isSubmitted.current = true
          render()
        })
      }}
    />
  )
}

// `data-aside` marks an alert that is not about the submission.
const outcomes = '[aria-invalid=true], [role=alert]:not([data-aside]), [data-result]'
