import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isSessionOver } from '@/api/session'
import { unauthorized } from '@/lib/event'
import { messages } from '@/messages/app'
import { toast } from '@/ui/toast'

/** Notices that the session has ended by itself, or elsewhere, and says so. */
export function useSessionEnd() {
  const queries = useQueryClient()
  useEffect(() => {
    let looking = false
    return unauthorized.subscribe(() => {
      if (looking) return
      looking = true
      void isSessionOver(queries).then((isOver) => {
        looking = false
        if (isOver) toast(messages.sessionEnded)
      })
    })
  }, [queries])
}
