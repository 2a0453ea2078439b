import { type ActivityParams, activitySpans, activityTypes } from '@/lib/activity-params'
import { Select } from '@/ui/select'
import { kinds } from './kinds'

const types = [
  { value: 'all', word: 'Everything' },
  ...activityTypes.map((value) => ({ value, word: kinds[value].many })),
] as const

const spanWords = { '1': 'The last 24 hours', '7': 'The last 7 days', '30': 'The last 30 days' }
const spans = [
  { value: 'all', word: 'Any time' },
  ...activitySpans.map((value) => ({ value, word: spanWords[value] })),
] as const

/** Leaves out what asks for nothing. */
function narrow<K extends keyof ActivityParams>(
  params: ActivityParams,
  name: K,
  value: ActivityParams[K] | 'all',
): ActivityParams {
  const { [name]: _, ...rest } = params
  return value === 'all' ? rest : { ...rest, [name]: value }
}

interface Props {
  params: ActivityParams
  onChange: (params: ActivityParams) => void
}

export function ActivityFilters({ params, onChange }: Props) {
  return (
    <search className="grid gap-5 xs:grid-cols-2 lg:sticky lg:top-24 lg:grid-cols-1">
      <Select
        label="What"
        value={params.type ?? 'all'}
        options={types}
        onChange={(type) => onChange(narrow(params, 'type', type))}
      />
      <Select
        label="When"
        value={params.days ?? 'all'}
        options={spans}
        onChange={(days) => onChange(narrow(params, 'days', days))}
      />
    </search>
  )
}
