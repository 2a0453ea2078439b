import { Monitor, Moon, Sun } from 'lucide-react'
import { storedValue, useStoredValue } from '@/lib/stored-value'
import { common } from '@/messages/common'

const icons = { system: Monitor, light: Sun, dark: Moon }
const choices = ['system', 'light', 'dark'] as const

// index.html also applies the stored theme, before the first paint.
const theme = storedValue<(typeof choices)[number]>(
  'theme',
  (stored) => (stored === 'light' || stored === 'dark' ? stored : 'system'),
  (chosen) => (chosen === 'system' ? null : chosen),
)

const apply = () => {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
theme.subscribe(apply)
apply() // another tab may have changed the theme since the first paint

export function ThemeSwitch() {
  const chosen = useStoredValue(theme)
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-1">
      <legend className="sr-only">{common.theme.label}</legend>
      {choices.map((value) => {
        const Icon = icons[value]
        const word = common.theme[value]
        return (
          <label
            key={value}
            title={word}
            className="grid size-8 cursor-pointer place-items-center rounded-full text-ink-soft hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={chosen === value}
              onChange={() => theme.set(value)}
              className="sr-only"
            />
            <Icon aria-hidden className="size-4" />
            <span className="sr-only">{word}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
