import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { createEvent } from '@/lib/event'

const displayTime = 6_000

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: ReactNode
}

let toasts: readonly Toast[] = []
let last = 0
const changed = createEvent()

function change(next: readonly Toast[]) {
  toasts = next
  changed.emit()
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/**
 * Shows a short notice of success or failure. Use a dialog or a banner if the user must respond.
 */
export function toast(text: ReactNode, tone: Toast['tone'] = 'good') {
  last += 1
  const id = last
  change([...toasts, { id, tone, text }])
  setTimeout(() => dismiss(id), displayTime)
}

/**
 * Displays the toasts. They let every tap through to what is below them. They are always mounted,
 * because screen readers announce only changes in existing live regions.
 */
export function Toaster() {
  const visible = useSyncExternalStore(changed.subscribe, () => toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-20 z-50 grid justify-items-center gap-2 sm:inset-x-auto sm:top-auto sm:right-6 sm:bottom-6"
    >
      {visible.map(({ id, tone, text }) => {
        const Icon = tone === 'good' ? CircleCheck : CircleAlert
        return (
          <div
            key={id}
            className="flex max-w-sm items-start gap-3 rounded-2xl bg-ink px-4 py-3 text-paper shadow-lift"
          >
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
            <p className="text-[0.9375rem]">{text}</p>
          </div>
        )
      })}
    </div>
  )
}
