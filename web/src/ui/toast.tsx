import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { createEvent } from '@/lib/event'
import { common } from '@/messages/common'

const shownFor = 6_000

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
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
export function toast(text: string, tone: Toast['tone'] = 'good') {
  last += 1
  const id = last
  change([...toasts, { id, tone, text }])
  setTimeout(() => dismiss(id), shownFor)
}

/**
 * Displays the toasts. It is always mounted, because screen readers announce only changes in
 * existing live regions.
 */
export function Toaster() {
  const shown = useSyncExternalStore(changed.subscribe, () => toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 sm:inset-x-auto sm:right-6 sm:bottom-6"
    >
      {shown.map(({ id, tone, text }) => {
        const Icon = tone === 'good' ? CircleCheck : CircleAlert
        return (
          <div
            key={id}
            className="pointer-events-auto flex max-w-sm items-start gap-3 rounded-2xl bg-ink py-3 pr-2 pl-4 text-paper shadow-lift"
          >
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
            <p className="text-[0.9375rem]">{text}</p>
            <button
              type="button"
              aria-label={common.dismiss()}
              onClick={() => dismiss(id)}
              className="grid size-7 shrink-0 place-items-center rounded-full hover:opacity-70"
            >
              <X aria-hidden className="size-4" />
            </button>
          </div>
        )
      })}
    </div>
  )
}
