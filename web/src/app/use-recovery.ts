import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { healthQuery } from '@/api/health'
import { requestFailed } from '@/lib/event'

/**
 * Checks the service's health as soon as a request fails, and refetches all data once the service
 * is available again, so that no reload is needed.
 */
export function useRecovery() {
  const queries = useQueryClient()
  const router = useRouter()
  const { data: health } = useQuery(healthQuery)
  const before = useRef(health)

  useEffect(() => {
    return requestFailed.subscribe(() => {
      void queries.refetchQueries({ queryKey: healthQuery.queryKey }, { cancelRefetch: false })
    })
  }, [queries])

  useEffect(() => {
    const was = before.current
    before.current = health
    if (health !== 'ok' || was === undefined || was === 'ok') return
    const [requested] = healthQuery.queryKey
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== requested })
    void router.invalidate()
  }, [queries, router, health])
}
