import { useQuery } from '@tanstack/react-query'
import { Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { skillsQuery } from '@/api/catalog'
import { PlaceField } from '@/components/place-field'
import { parseAmount } from '@/lib/amount'
import { type BoardParams, leftDays, longest } from '@/lib/board-params'
import { classNames } from '@/lib/class-names'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/board'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { inputClass, TextField } from '@/ui/field'
import { Select } from '@/ui/select'
import { SavedSearches } from './saved-searches'
import { useTyped } from './use-typed'

interface Props {
  params: BoardParams
  symbol: string
  onChange: (params: BoardParams) => void
}

/** Converts labels to the options of a select. */
const optionsOf = <T extends string>(words: Record<T, string>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, word: words[value] }))

const sorts = optionsOf(messages.sort)
const locations = optionsOf(messages.where)
const times = [
  { value: '', word: messages.anyDeadline },
  ...leftDays.map((days) => ({ value: String(days), word: messages.daysLeft(days) })),
]

/**
 * Returns the parameters with a filter set or removed. Removed filters are absent, so that the URL
 * stays short.
 */
function withFilter<K extends keyof BoardParams>(
  params: BoardParams,
  name: K,
  value: BoardParams[K] | undefined,
): BoardParams {
  const { [name]: _, ...rest } = params
  return value ? { ...rest, [name]: value } : rest
}

export function Filters({ params, symbol, onChange }: Props) {
  // Used only on small screens; on large screens the filters are always shown.
  const [open, setOpen] = useState(false)
  return (
    <search className="grid gap-5 lg:sticky lg:top-24">
      <SearchField value={params.q ?? ''} onChange={(q) => onChange(withFilter(params, 'q', q))} />
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start lg:hidden"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        {messages.filters}
      </Button>
      <div
        className={classNames(
          'gap-5 sm:max-lg:grid-cols-2 lg:grid',
          open ? 'grid' : 'max-lg:hidden',
        )}
      >
        <Select
          label={messages.order}
          value={params.sort ?? 'newest'}
          options={sorts}
          onChange={(sort) =>
            onChange(withFilter(params, 'sort', sort === 'newest' ? undefined : sort))
          }
        />
        <Select
          label={messages.whereLabel}
          value={params.remote ?? 'any'}
          options={locations}
          onChange={(where) =>
            onChange(withFilter(params, 'remote', where === 'any' ? undefined : where))
          }
        />
        <SkillSelect
          value={params.skill}
          onChange={(skill) => onChange(withFilter(params, 'skill', skill))}
        />
        <TypedPlace
          value={params.place ?? ''}
          onChange={(place) => onChange(withFilter(params, 'place', place))}
        />
        <TypedField
          label={messages.minimum(<span translate="no">{symbol}</span>)}
          placeholder="5"
          inputMode="decimal"
          value={params.min ?? ''}
          error={
            params.min && parseAmount(params.min) === undefined ? common.amountFormat : undefined
          }
          onChange={(min) => onChange(withFilter(params, 'min', min))}
        />
        <Select
          label={messages.deadline}
          value={String(params.days ?? '')}
          options={times}
          onChange={(value) => {
            const days = leftDays.find((each) => String(each) === value)
            onChange(withFilter(params, 'days', days))
          }}
        />
      </div>
      {Object.keys(params).length > 0 && (
        <Button
          variant="quiet"
          size="small"
          className="justify-self-start"
          onClick={() => onChange({})}
        >
          {messages.clearAll}
        </Button>
      )}
      <SavedSearches params={params} symbol={symbol} onChoose={onChange} />
    </search>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  const id = useId()
  const [text, setText] = useTyped(value, onChange)
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {messages.searchLabel}
      </label>
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-3.5 left-3.5 size-[1.125rem] text-ink-soft"
        />
        <input
          id={id}
          type="search"
          value={text}
          maxLength={limits.maxSearch}
          placeholder={messages.search}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClass} h-11 pl-10`}
        />
      </div>
    </div>
  )
}

interface TypedProps {
  label: ReactNode
  placeholder: string
  value: string
  inputMode?: 'decimal'
  error?: string | undefined
  onChange: (text: string) => void
}

function TypedField({ value, onChange, ...rest }: TypedProps) {
  const [text, setText] = useTyped(value, onChange)
  return (
    <TextField
      {...rest}
      value={text}
      maxLength={longest.min}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

function TypedPlace({ value, onChange }: Pick<TypedProps, 'value' | 'onChange'>) {
  const [text, setText] = useTyped(value, onChange)
  return <PlaceField label={messages.place} write="name" value={text} onChange={setText} />
}

interface SkillProps {
  value: string | undefined
  onChange: (skill: string | undefined) => void
}

function SkillSelect({ value, onChange }: SkillProps) {
  const skills = useQuery(skillsQuery)
  // A skill from a bookmarked search may not be in the catalogue.
  const names = [...new Set([...(value ? [value] : []), ...(skills.data ?? [])])]
  const options = [
    { value: '', word: messages.anySkill },
    ...names.map((skill) => ({ value: skill, word: skill })),
  ]
  return (
    <Select
      label={messages.skill}
      value={value ?? ''}
      options={options}
      onChange={(skill) => onChange(skill || undefined)}
    />
  )
}
