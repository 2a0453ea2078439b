import { useEffect } from 'react'
import { keyOf, storedTransactions } from '@/chain/stored-transactions'
import { isShown } from '@/chain/transactions'
import { messages } from '@/messages/app'
import { toast } from '@/ui/toast'

/**
 * Shows a toast when a transaction that no page displays fails. Successes are reported by events.
 */
export function useFailures() {
  useEffect(() => {
    let before = storedTransactions.get()
    return storedTransactions.subscribe(() => {
      const now = storedTransactions.get()
      for (const each of now) {
        const last = before.find((old) => keyOf(old) === keyOf(each))
        if (each.stage === 'failed' && last && last.stage !== 'failed' && !isShown(each))
          toast(messages.failed(each.intent.does), 'bad')
      }
      before = now
    })
  }, [])
}
