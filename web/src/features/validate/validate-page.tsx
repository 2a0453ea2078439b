import { Scale } from 'lucide-react'
import { useState } from 'react'
import type { Human } from '@/api/human'
import { useSession } from '@/api/session'
import { messages } from '@/messages/validate'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { Queue } from './queue'

/** The page with a validator's queue. */
export function ValidatePage() {
  const human = useSession()
  return (
    <Page title={messages.title} intro={messages.intro}>
      {human && <ValidatorQueue human={human} />}
    </Page>
  )
}

/** The queue, for current validators. Former validators may still have tasks to decide. */
function ValidatorQueue({ human }: { human: Human }) {
  const [showQueue, setShowQueue] = useState(false)
  if (human.isValidator || showQueue) return <Queue wallet={human.walletAddress} />
  return (
    <EmptyState
      icon={Scale}
      title={messages.notOne.title}
      action={
        <Button variant="secondary" onClick={() => setShowQueue(true)}>
          {messages.notOne.former}
        </Button>
      }
    >
      <p>{messages.notOne.text(<Address hex={human.walletAddress} />)}</p>
      <p className="mt-2">{messages.notOne.formerText}</p>
    </EmptyState>
  )
}
