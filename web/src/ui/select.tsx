import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '@/lib/class-names'
import { inputClass } from './field'

interface Props<T extends string> {
  label: string
  /** The selected option; undefined if none is selected yet, so that the placeholder is shown. */
  value: T | undefined
  placeholder?: string
  /** The error message for the current value. */
  error?: string | undefined
  options: readonly { value: T; word: string }[]
  onChange: (value: T) => void
}

/** A select that uses the browser's native list of options. */
export function Select<T extends string>({
  label,
  value,
  placeholder,
  error,
  options,
  onChange,
}: Props<T>) {
  const id = useId()
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value ?? ''}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => choose(event.target.value)}
          className={classNames(inputClass, 'h-11 appearance-none pr-10')}
        >
          {value === undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.word}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-3.5 right-3.5 size-4 text-ink-soft"
        />
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
