import { LogIn, Scale } from 'lucide-react'
import { useState } from 'react'
import type { Human } from '@/api/human'
import { useSession } from '@/api/session'
import { askToSignIn } from '@/chain/sign-in-request'
import { Address } from '@/ui/address'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { Queue } from './queue'

/** What waits for the verdicts of a validator. */
export function ValidatePage() {
  const human = useSession()
  return (
    <Page
      title="Validate"
      intro="Compare what was agreed with what was handed in, and say whether it is that. A verdict is a signature: it is free, and cannot be taken back."
    >
      {human && <Part human={human} />}
      {human === null && (
        <EmptyState
          icon={LogIn}
          title="Sign in to see what waits for you"
          action={<Button onClick={() => askToSignIn()}>Sign in</Button>}
        />
      )}
    </Page>
  )
}

/** The queue, for whoever is on the panel in force; others may have been on one before. */
function Part({ human }: { human: Human }) {
  const [looks, setLooks] = useState(false)
  if (human.isValidator || looks) return <Queue wallet={human.walletAddress} />
  return (
    <EmptyState
      icon={Scale}
      title="This page is for validators"
      action={
        <Button look="secondary" onClick={() => setLooks(true)}>
          I was one before
        </Button>
      }
    >
      <p>
        Validators decide whether work is as agreed. The escrow contract names them, and the account
        that you signed in with, <Address hex={human.walletAddress} />, is not among them now.
      </p>
      <p className="mt-2">
        If you were one until lately, tasks of that time may still wait for you.
      </p>
    </EmptyState>
  )
}
