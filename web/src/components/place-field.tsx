import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Place, placesQuery } from '@/api/catalog'
import { classNames } from '@/lib/class-names'
import { limits } from '@/lib/facts.gen'
import { common } from '@/messages/common'
import { Field, inputClass } from '@/ui/field'

interface Props {
  label: string
  hint?: string
  value: string
  error?: string | undefined
  /** Which name of a place is written into the field. Filters use only the short name. */
  write: keyof Place
  onChange: (place: string) => void
}

// In ms: suggestions are requested when the user has stopped typing for this long.
const pause = 200

/** A field for a place, with suggestions. Other texts are allowed too. */
export function PlaceField({ label, hint, value, error, write, onChange }: Props) {
  const places = useQuery(placesQuery(useSettled(value)))
  return (
    <Autocomplete.Root
      items={places.data ?? []}
      mode="none"
      itemToStringValue={(place: Place) => place[write]}
      value={value}
      // The Escape key closes the list of suggestions; it must not clear the field.
      onValueChange={(next, { reason }) => reason !== 'escape-key' && onChange(next)}
    >
      <Field label={label} hint={hint} error={error}>
        <Autocomplete.Input
          placeholder={common.placeExample}
          maxLength={limits.maxLocation}
          aria-invalid={error !== undefined}
          className={classNames(inputClass, 'h-11')}
        />
      </Field>
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={6} className="z-50 outline-none">
          <Autocomplete.Popup className="max-h-72 w-(--anchor-width) overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-lift data-empty:hidden">
            <Autocomplete.List>
              {(place: Place) => (
                <Autocomplete.Item
                  key={place.line}
                  value={place}
                  className="flex cursor-pointer items-center gap-2.5 rounded-lg px-3 py-2 text-[0.9375rem] data-highlighted:bg-sunken"
                >
                  <MapPin aria-hidden className="size-4 shrink-0 text-ink-soft" />
                  {place.line}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

/**
 * Returns a field's text after the user stops typing, so that not every keystroke sends a request.
 */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
