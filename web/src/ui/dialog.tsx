import { Dialog as Base } from '@base-ui/react/dialog'
import { useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { common } from '@/messages/common'

interface Props {
  open: boolean
  onClose: () => void
  title: string
  /** The purpose of the dialog, announced together with the title. */
  description?: string
  children: ReactNode
}

/**
 * A modal dialog, displayed as a bottom sheet on small screens. The browser's Back button closes it.
 */
export function Dialog({ open, onClose, title, description, children }: Props) {
  useCloseOnBack(open, onClose)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[oklch(15%_0.01_165/55%)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 max-h-[88dvh] overflow-y-auto rounded-t-3xl bg-surface p-6 shadow-lift transition-all duration-200 data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0 sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[27rem] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-3xl sm:p-7">
          <Base.Title className="pr-10 text-xl font-semibold">{title}</Base.Title>
          {description && (
            <Base.Description className="mt-1.5 text-ink-soft">{description}</Base.Description>
          )}
          <div className="mt-5">{children}</div>
          <Base.Close
            aria-label={common.close}
            className="absolute top-5 right-5 grid size-9 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Closes the dialog instead of going back, and when another page is opened. */
function useCloseOnBack(open: boolean, onClose: () => void) {
  const { history } = useRouter()
  useEffect(() => {
    if (!open) return
    return history.block({
      enableBeforeUnload: false,
      blockerFn({ action, currentLocation, nextLocation }) {
        const isNew = action === 'PUSH' || action === 'REPLACE'
        if (!isNew || currentLocation.pathname !== nextLocation.pathname) onClose()
        return !isNew
      },
    })
  }, [history, open, onClose])
}
