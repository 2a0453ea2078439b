import { Combobox } from '@base-ui/react/combobox'
import { Check, X } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { Field, inputClass } from './field'

interface Props {
  label: string
  hint?: string
  error?: string | undefined
  value: string[]
  options: readonly string[]
  onChange: (value: string[]) => void
}

/** A multiple selection, displayed as chips with a field for finding more options. */
export function Tags({ label, hint, error, value, options, onChange }: Props) {
  const [text, setText] = useState('')
  const word = text.trim().toLowerCase()
  // The options that begin with the word are listed first.
  const items = useMemo(
    () => options.toSorted((a, b) => Number(b.startsWith(word)) - Number(a.startsWith(word))),
    [options, word],
  )
  // The Escape key closes the list of options; it must not clear the selection.
  const change = (next: string[], reason?: string) => {
    if (reason === 'escape-key') return
    if (next.length > value.length) setText('')
    onChange(next)
  }
  // Enter selects the highlighted option, or else the first one that contains the word. Tab selects an
  // option that was typed completely. A word that is no option stays in the field: neither key submits
  // the form or erases it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!word || (event.key !== 'Enter' && event.key !== 'Tab')) return
    const isEnter = event.key === 'Enter'
    if (isEnter) event.preventDefault()
    if (isEnter && event.currentTarget.hasAttribute('aria-activedescendant')) return
    const option = items.find(
      (each) =>
        !value.includes(each) &&
        (isEnter ? each.toLowerCase().includes(word) : each.toLowerCase() === word),
    )
    if (option) change([...value, option])
  }
  return (
    <Combobox.Root
      multiple
      autoHighlight
      items={items}
      value={value}
      inputValue={text}
      onInputValueChange={(next, { reason }) => reason === 'input-change' && setText(next)}
      onValueChange={(next, { reason }) => change(next, reason)}
    >
      <Field label={label} hint={hint} error={error}>
        <Combobox.Input
          placeholder={common.typeToFind}
          aria-invalid={error !== undefined}
          onKeyDown={onKeyDown}
          className={`${inputClass} h-11`}
        />
      </Field>
      <Combobox.Chips className="mt-1.5 flex flex-wrap gap-2 empty:hidden">
        {value.map((tag) => (
          <Combobox.Chip
            key={tag}
            aria-label={tag}
            className="inline-flex max-w-full items-center gap-1 rounded-full bg-accent-wash py-1 pr-1 pl-3 text-sm font-medium text-accent"
          >
            <span className="truncate">{visible(tag)}</span>
            <Combobox.ChipRemove
              aria-label={common.remove(tag)}
              className="grid size-6 shrink-0 place-items-center rounded-full hover:bg-surface"
            >
              <X aria-hidden className="size-3.5" />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
      </Combobox.Chips>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={6} className="z-50 outline-none">
          <Combobox.Popup className="max-h-72 w-(--anchor-width) overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-lift">
            <Combobox.Empty className="px-3 py-2 text-sm text-ink-soft empty:hidden">
              {common.noMatch}
            </Combobox.Empty>
            <Combobox.List>
              {(tag: string) => (
                <Combobox.Item
                  key={tag}
                  value={tag}
                  className="flex cursor-pointer items-center justify-between rounded-lg px-3 py-2 text-[0.9375rem] data-highlighted:bg-sunken"
                >
                  {tag}
                  <Combobox.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
