import { useEffect } from 'react'
import { keptTransactions, keyOf } from '@/chain/kept'
import { isShown } from '@/chain/transactions'
import { messages } from '@/messages/app'
import { toast } from '@/ui/toast'

/** Tells of transactions that fail while no page shows them. Those that succeed make news. */
export function useFailures() {
  useEffect(() => {
    let before = keptTransactions.get()
    return keptTransactions.subscribe(() => {
      const now = keptTransactions.get()
      for (const each of now) {
        const last = before.find((old) => keyOf(old) === keyOf(each))
        if (each.stage === 'failed' && last && last.stage !== 'failed' && !isShown(each))
          toast(messages.failed(each.intent.does), 'bad')
      }
      before = now
    })
  }, [])
}
