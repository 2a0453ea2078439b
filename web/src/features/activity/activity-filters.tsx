import { type ActivityParams, activitySpans, activityTypes } from '@/lib/activity-params'
import { messages } from '@/messages/activity'
import { Select } from '@/ui/select'

const types = [
  { value: 'all', word: messages.filter.all },
  ...activityTypes.map((value) => ({ value, word: messages.kind[value] })),
] as const

const spans = [
  { value: 'all', word: messages.filter.anyTime },
  ...activitySpans.map((value) => ({ value, word: messages.filter.days[value] })),
] as const

/** Returns the parameters with a filter set or removed. */
function withFilter<K extends keyof ActivityParams>(
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
        label={messages.filter.type}
        value={params.type ?? 'all'}
        options={types}
        onChange={(type) => onChange(withFilter(params, 'type', type))}
      />
      <Select
        label={messages.filter.period}
        value={params.days ?? 'all'}
        options={spans}
        onChange={(days) => onChange(withFilter(params, 'days', days))}
      />
    </search>
  )
}
