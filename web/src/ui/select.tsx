import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '@/lib/class-names'
import { inputClass } from './field'

interface Props<T extends string> {
  label: string
  value: T
  options: readonly { value: T; word: string }[]
  onChange: (value: T) => void
}

/** A select that uses the browser's native list of options. */
export function Select<T extends string>({ label, value, options, onChange }: Props<T>) {
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
          value={value}
          onChange={(event) => choose(event.target.value)}
          className={classNames(inputClass, 'h-11 appearance-none pr-10')}
        >
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
    </div>
  )
}
