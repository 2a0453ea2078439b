import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isSessionOver } from '@/api/session'
import { unauthorized } from '@/lib/event'
import { messages } from '@/messages/app'
import { toast } from '@/ui/toast'

/**
 * Detects that the session has expired or was ended in another tab or on the server, and shows a
 * toast.
 */
export function useSessionEnd() {
  const queries = useQueryClient()
  useEffect(() => {
    let isChecking = false
    return unauthorized.subscribe(() => {
      if (isChecking) return
      isChecking = true
      void isSessionOver(queries).then((isOver) => {
        isChecking = false
        if (isOver) toast(messages.sessionEnded)
      })
    })
  }, [queries])
}
